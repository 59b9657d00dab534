/** What a gateway in front of a broken server shows. */
export const htmlPage = '<!DOCTYPE html><html><head><title>500</title></head><body><h1>Internal Server Error</h1></body></html>'
