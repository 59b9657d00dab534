/** The libraries that every screen works with. */
const libraries =
  /node_modules\/(?:react|react-dom|scheduler|@tanstack\/[\w-]+|wouter|regexparam|mitt|use-sync-external-store|openapi-fetch|clsx)\//

/** The parts of Mantine that stand on nearly every screen, and what they are made of. */
const commonParts =
  /node_modules\/@mantine\/(?:core\/esm\/(?:core\/|components\/(?:Button|UnstyledButton|Loader|Transition|Input|InputBase|TextInput|InputWrapper|Skeleton|Stack|Group|Flex)\/)|hooks\/)/

/** What stands on nearly every screen of ours. */
const ownParts =
  /dashboard\/src\/both\/(?:api|layout|look|moments)\/|dashboard\/src\/both\/(?:start|words|goods-words|role-words|phones|money\/format-ghs|form\/(?:form|typed)|sign-in\/(?:sign-in-frame|confirmation))\.tsx?$/

/** Lists and tables: many screens have them, and the sign-in has none. */
const listParts = /dashboard\/src\/both\/list\//

/** What screens and sign-in both know; in a file of either, the other one would load that file for it. */
const frameParts = /dashboard\/src\/app\/(?:me|words\/frame)\.ts$/

/** A window above the screen, which few screens have at once, with all that it needs. */
const dialogParts =
  /node_modules\/(?:@mantine\/core\/esm\/components\/(?:Modal|ModalBase|ScrollArea|Portal|FocusTrap|Overlay|RemoveScroll|CloseButton|Paper)\/|react-remove-scroll|use-sidecar|use-callback-ref|react-style-singleton|get-nonce|tslib|aria-hidden)/

/** What somebody meets who is not signed in; all of it comes at once. */
const signInParts =
  /dashboard\/src\/both\/sign-in\/(?:sign-in-form|sign-in-words|entry-form|fields|leave)\.|dashboard\/src\/app\/sign-in\/signed-out|node_modules\/@mantine\/core\/esm\/components\/(?:PasswordInput|ActionIcon)\//

/** The first screen, in one file: other screens that have rows of orders load it too. */
const homeParts = /dashboard\/src\/app\/(?:home\/|orders\/order-row\.)/

const parts = [
  { file: 'base', modules: [libraries, commonParts, ownParts, frameParts, /vite\/preload-helper|rolldown\/runtime/] },
  { file: 'dialog', modules: [dialogParts] },
  { file: 'lists', modules: [listParts] },
  { file: 'home', modules: [homeParts] },
  { file: 'sign-in', modules: [signInParts] },
]

/**
 * Which file of scripts a module goes into. Left to itself, the bundler makes a small file of whatever some screens
 * share, and a phone asks for each of them. What a module needs goes with it, unless an earlier line has it. A module that
 * stands in no line goes with the screens that use it.
 */
export function fileOfModule(id: string): string | null {
  const path = id.replaceAll('\\', '/')
  return parts.find(({ modules }) => modules.some((each) => each.test(path)))?.file ?? null
}
