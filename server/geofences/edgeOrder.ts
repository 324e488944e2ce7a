/** A place in an order of items, for as long as the item stands in it. */
export interface Ordered<T> {
  item: T;
  /** Its neighbours in the order. */
  before: Ordered<T> | null;
  after: Ordered<T> | null;
}

interface Node<T> extends Ordered<T> {
  parent: Node<T> | null;
  left: Node<T> | null;
  right: Node<T> | null;
  height: number;
}

/** Items in an order that only holds at the moment: each finds its place by comparison, and is taken out by its handle. */
export interface EdgeOrder<T> {
  /**
   * @param isAbove whether the new item belongs behind this one; asked at most 1.45 log2(n) + 2 times of n items
   *   (the height of an AVL tree, Knuth, The Art of Computer Programming 3, section 6.2.3, theorem A)
   */
  insert(item: T, isAbove: (other: T) => boolean): Ordered<T>;
  remove(handle: Ordered<T>): void;
}

/** A balanced tree (Adelson-Velsky and Landis, 1962) whose nodes also know their neighbours. */
export function createEdgeOrder<T>(): EdgeOrder<T> {
  let root: Node<T> | null = null;

  function put(node: Node<T> | null, parent: Node<T> | null, instead: Node<T>): void {
    if (parent === null) root = node;
    else if (parent.left === instead) parent.left = node;
    else parent.right = node;
    if (node !== null) node.parent = parent;
  }

  /** Lifts the child on one side above its parent. */
  function lift(child: Node<T>, parent: Node<T>): void {
    put(child, parent.parent, parent);
    if (parent.left === child) {
      parent.left = child.right;
      if (child.right !== null) child.right.parent = parent;
      child.right = parent;
    } else {
      parent.right = child.left;
      if (child.left !== null) child.left.parent = parent;
      child.left = parent;
    }
    parent.parent = child;
    measure(parent);
    measure(child);
  }

  function balanceUp(from: Node<T> | null): void {
    for (let node = from; node !== null; node = node.parent) {
      const lean = heightOf(node.left) - heightOf(node.right);
      const heavy = lean > 1 ? node.left : lean < -1 ? node.right : null;
      if (heavy === null) {
        measure(node);
        continue;
      }
      const inner = lean > 0 ? heavy.right : heavy.left;
      const outer = lean > 0 ? heavy.left : heavy.right;
      if (inner !== null && inner.height > heightOf(outer)) {
        lift(inner, heavy);
        lift(inner, node);
      } else {
        lift(heavy, node);
      }
    }
  }

  return {
    insert(item, isAbove) {
      let parent: Node<T> | null = null;
      let isRight = false;
      for (let next: Node<T> | null = root; next !== null; next = isRight ? next.right : next.left) {
        parent = next;
        isRight = isAbove(next.item);
      }
      const before = parent === null ? null : isRight ? parent : parent.before;
      const after = parent === null ? null : isRight ? parent.after : parent;
      const node: Node<T> = { item, before, after, parent, left: null, right: null, height: 1 };
      if (before !== null) before.after = node;
      if (after !== null) after.before = node;
      if (parent === null) root = node;
      else if (isRight) parent.right = node;
      else parent.left = node;
      balanceUp(parent);
      return node;
    },

    remove(handle) {
      // Only nodes are handed out.
      const node = handle as Node<T>;
      const { before, after } = node;
      if (before !== null) before.after = after;
      if (after !== null) after.before = before;
      if (node.left === null || node.right === null) {
        const { parent } = node;
        put(node.left ?? node.right, parent, node);
        balanceUp(parent);
        return;
      }
      // The next one stands lowest in the right subtree, and has nothing to its own left.
      const next = after as Node<T>;
      const lowest = next.parent === node ? next : next.parent;
      if (next.parent !== node) {
        put(next.right, next.parent, next);
        next.right = node.right;
        node.right.parent = next;
      }
      next.left = node.left;
      node.left.parent = next;
      put(next, node.parent, node);
      balanceUp(lowest);
    },
  };
}

function heightOf(node: { height: number } | null): number {
  return node?.height ?? 0;
}

function measure<T>(node: Node<T>): void {
  node.height = 1 + Math.max(heightOf(node.left), heightOf(node.right));
}
