/** The page that a gateway shows when the server behind it is broken. */
export const htmlPage = '<!DOCTYPE html><html><head><title>500</title></head><body><h1>Internal Server Error</h1></body></html>'
