/** Where the console finds the files of the base map, as baseMapPlugin.ts wrote them. */
declare module 'virtual:base-map' {
  export const baseMapIndex: {
    readonly overview: string;
    /** Address of each cell that has anything to draw, by its name. */
    readonly cells: Readonly<Record<string, string>>;
  };
}
