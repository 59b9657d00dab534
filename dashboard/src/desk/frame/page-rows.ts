/** Rows that a list of the desk asks for at a time. */
export const pageRows = 50
