/** The text of a field, and what a key does: `<TextInput {...typed(name, setName)} />`. */
export const typed = (value: string, onText: (text: string) => void) => ({
  value,
  onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => onText(currentTarget.value),
})
