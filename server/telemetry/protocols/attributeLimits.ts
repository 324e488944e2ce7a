// What is kept of what terminals say beyond the named fields: what the contract allows an attribute, and how many.

export const maxKey = 64;
export const maxText = 2_000;
/** Of one message; terminals with a vehicle's bus behind them name some dozens. What is beyond is left out. */
export const maxAttributes = 128;
