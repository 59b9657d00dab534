/**
 * Gives the browser a valid language when its own is invalid, such as the `en-US@posix` of a Chromium that was started without
 * a locale. uPlot can be loaded only with a valid language, so this file is imported before it.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-GH' })
}
