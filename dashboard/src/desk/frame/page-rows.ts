/** The rows of a page of the desk's lists. */
export const pageRows = 50
