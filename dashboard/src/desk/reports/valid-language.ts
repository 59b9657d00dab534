/**
 * Gives the browser a language where its own is no valid one, as the `en-US@posix` of a Chromium that was started without a
 * locale. uPlot cannot be loaded there, so this is imported before it.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-GH' })
}
