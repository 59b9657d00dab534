type PhoneContact = { readonly name: readonly string[]; readonly tel: readonly string[] }
type ContactPicker = {
  readonly select: (fields: readonly string[], options: { readonly multiple: boolean }) => Promise<readonly PhoneContact[]>
}

/** The browser's own list of the phone's contacts (Contact Picker API), which only some phones have. */
const picker = (navigator as { readonly contacts?: ContactPicker }).contacts

export const hasPhoneContacts = picker !== undefined && 'ContactsManager' in window

/** Opens the phone's list of contacts. Leaves out contacts without a number. Empty, too, when the list cannot be opened. */
export async function choosePhoneContacts(
  isMultiple: boolean,
): Promise<readonly { readonly name: string; readonly numbers: readonly string[] }[]> {
  const chosen = (await picker?.select(['name', 'tel'], { multiple: isMultiple }).catch(() => [])) ?? []
  return chosen
    .map(({ name, tel }) => ({ name: name[0] ?? '', numbers: [...new Set(tel)] }))
    .filter(({ numbers }) => numbers.length > 0)
}
