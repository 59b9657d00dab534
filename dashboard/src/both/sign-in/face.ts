/** Where the API of an app begins. Both apps have the same calls about a person and their sessions. */
export type Face = '/app/api' | '/desk/api'
