/** The properties that bind a text field to a state: `<TextInput {...bindText(name, setName)} />`. */
export const bindText = (value: string, onText: (text: string) => void) => ({
  value,
  onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => onText(currentTarget.value),
})
