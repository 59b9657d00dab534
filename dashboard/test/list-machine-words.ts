import type { Page } from 'playwright-core'

/** Patterns of texts that programs write for each other, and that people should not have to read. */
const machineWords: Readonly<Record<string, RegExp>> = {
  'an id': /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
  'a time stamp': /\d{4}-\d\d-\d\dT\d\d:\d\d/,
  'a name in a program': /\b[a-z]+(?:_[a-z0-9]+)+\b/,
  JSON: /[{}]|\[object /,
  'a bare value': /\b(?:null|undefined|NaN)\b/,
}

/**
 * Elements that may hold such texts: code that a person copies from the screen into a program, and the calls of resellers'
 * programs with their answers.
 */
const allowedPlaces = 'code, pre, script, style, noscript'

/** Lists the visible texts of a page that fit one of these patterns, each with the kind of pattern. */
export async function listMachineWords(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(`
    (() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts = []
      while (walker.nextNode()) {
        const { parentElement, data } = walker.currentNode
        if (data.trim() !== '' && !parentElement.closest('${allowedPlaces}') && parentElement.checkVisibility()) texts.push(data)
      }
      return texts
    })()
  `)
  return Object.entries(machineWords).flatMap(([kind, pattern]) =>
    texts.filter((text) => pattern.test(text)).map((text) => `${kind}: ${text.slice(0, 160)}`),
  )
}
