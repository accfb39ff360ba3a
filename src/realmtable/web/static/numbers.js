// @ts-check
// How numbers are written.

/** A number with a minus sign instead of a hyphen. @param {number} number */
export const formatNumber = (number) => String(number).replace("-", "−");
