/**
 * The message of an alarm for a screen, without the sentences that name a command. A message that has no other sentence is
 * returned whole.
 */
export function withoutCommands(message: string): string {
  const sentences = message.split(/(?<=[.!?])\s+(?=\p{Lu})/u)
  const kept = sentences.filter((sentence) => !sentence.includes('`makola '))
  return kept.length === 0 ? message : kept.join(' ')
}
