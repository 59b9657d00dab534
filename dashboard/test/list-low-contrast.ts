import type { Page } from 'playwright-core'

/**
 * The least contrast between the border of a control, or the ring around the focus, and the colours beside it (WCAG 2.2,
 * 1.4.11).
 */
export const leastContrast = 3

/**
 * For scripts in a page: `contrastOf(colour, on)`, the contrast (WCAG 2.2, 1.4.3) of a colour of CSS with what is drawn behind
 * the element `on`.
 */
export const contrastScript = `
  const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const mix = (colours) => {
    brush.clearRect(0, 0, 1, 1)
    for (const colour of colours) {
      brush.fillStyle = colour
      brush.fillRect(0, 0, 1, 1)
    }
    return [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const luminanceOf = (rgb) => {
    const [red, green, blue] = rgb.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrastOf = (colour, on) => {
    const behind = []
    for (let each = on; each; each = each.parentElement) behind.unshift(getComputedStyle(each).backgroundColor)
    behind.unshift('Canvas')
    const [dark, light] = [mix(behind), mix([...behind, colour])].map(luminanceOf).sort((one, other) => one - other)
    return (light + 0.05) / (dark + 0.05)
  }
`

/**
 * Lists fields and buttons whose border and background both have too little contrast with the page. Buttons without a border,
 * which are words alone, and controls that are disabled are left out.
 */
export const listLowContrast = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    (() => {
      ${contrastScript}
      return [...document.querySelectorAll('main :is(button, input, select, textarea, a[class*="Button"])')]
        .filter((each) => !each.disabled && !each.matches('[data-disabled], [type="hidden"], [type="file"], [role="tab"]'))
        .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && each.getBoundingClientRect().width > 1)
        // Leaves out radio buttons and checkboxes that the browser draws itself.
        .filter((each) => !each.matches('[type="radio"], [type="checkbox"]') || getComputedStyle(each).appearance === 'none')
        // A password stands in a field within a field.
        .map((each) => each.closest('.mantine-Input-input') ?? each)
        .map((each) => {
          const { borderTopColor, borderTopStyle, borderTopWidth, borderBottomWidth, borderBottomColor, backgroundColor } = getComputedStyle(each)
          const [border, isDrawn] = [borderTopWidth === '0px' ? borderBottomColor : borderTopColor, borderTopStyle !== 'none']
          const isBordered = isDrawn && borderBottomWidth !== '0px' && !/, 0\\)$|transparent/.test(border)
          if (!isBordered && !each.matches('input, select, textarea, .mantine-Input-input')) return [each, Infinity]
          const shapes = [backgroundColor, ...(isBordered ? [border] : [])]
          return [each, Math.max(...shapes.map((colour) => contrastOf(colour, each.parentElement)))]
        })
        .filter(([, contrast]) => contrast < ${leastContrast})
        .map(([each, contrast]) => contrast.toFixed(2) + ': ' + each.outerHTML.slice(0, 160))
    })()
  `)
