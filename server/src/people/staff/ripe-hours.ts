/** How long a proposal to loosen a guard waits, in hours, before it holds without a second person where there is none. */
export const ripeHours = 24
