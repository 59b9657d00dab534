/**
 * The message of an alarm for a screen: without the sentences that say which command to type. A message that is nothing
 * else is given whole.
 */
export function withoutCommands(message: string): string {
  const sentences = message.split(/(?<=[.!?])\s+(?=\p{Lu})/u)
  const kept = sentences.filter((sentence) => !sentence.includes('`makola '))
  return kept.length === 0 ? message : kept.join(' ')
}
