/** The start of the API's addresses in an app. Both apps have the same calls about a person and the person's sessions. */
export type Face = '/app/api' | '/desk/api'
