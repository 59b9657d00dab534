/** The libraries that every screen works with. */
const libraries =
  /node_modules\/(?:react|react-dom|scheduler|@tanstack\/[\w-]+|wouter|regexparam|mitt|use-sync-external-store|openapi-fetch|clsx)\//

/** The parts of Mantine that nearly every screen uses, and the code inside them. */
const commonParts =
  /node_modules\/@mantine\/(?:core\/esm\/(?:core\/|components\/(?:Button|UnstyledButton|Loader|Transition|Input|InputBase|TextInput|InputWrapper|Skeleton|Stack|Group|Flex)\/)|hooks\/)/

/** The files of our own that nearly every screen uses. */
const ownParts =
  /dashboard\/src\/both\/(?:api|layout(?!\/(?:facts|beside))|look(?!\/colour)|moments(?!\/(?:moment|read)))\/|dashboard\/src\/languages\/in-language\.ts|dashboard\/src\/both\/(?:start|words|role-words|money\/(?:format-ghs|read-amount|amount-words)|form\/(?:form|typed)|sign-in\/(?:sign-in-frame|confirmation))\.tsx?$/

/** Lists and tables, facts, moments, numbers, and the words of fields and goods: many screens have them, and the sign-in has none. */
const listParts =
  /dashboard\/src\/both\/(?:list\/|layout\/(?:facts|beside)|moments\/(?:moment|read)|field-words\.ts|counted-words\.ts|goods-words\.ts|phones\.ts)/

/**
 * Files that the screens and the sign-in share. They go into `base`: in `home` or `sign-in`, a visit to one would also load
 * the other.
 */
const frameParts = /dashboard\/src\/app\/(?:me|words\/frame)\.ts$/

/** Dialogs, which few screens have open, with all the code that they need. */
const dialogParts =
  /node_modules\/(?:@mantine\/core\/esm\/components\/(?:Modal|ModalBase|ScrollArea|Portal|FocusTrap|Overlay|RemoveScroll|CloseButton|Paper)\/|react-remove-scroll|use-sidecar|use-callback-ref|react-style-singleton|get-nonce|tslib|aria-hidden)/

/** The sign-in, in one file, loaded in one request. */
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
 * Chooses the script file for a module. Without this, the bundler would make many small files of shared code, and a phone
 * would request each of them. The first matching line of `parts` decides, and the module's own imports go into the same
 * file unless an earlier line matches them. A module without a match goes into the files of the screens that use it.
 */
export function fileOfModule(id: string): string | null {
  const path = id.replaceAll('\\', '/')
  return parts.find(({ modules }) => modules.some((each) => each.test(path)))?.file ?? null
}
