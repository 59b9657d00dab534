/** Describes what happens next to a proposal that loosens a guard of money or rights. */
export function describeLoosening(approvalId: string): string {
  return (
    `This loosens what guards money or rights, so a second person confirms it: \`makola approvals confirm ${approvalId} --by NAME\`. ` +
    'Where nobody else can, it takes effect 24 hours after the owners were told, while a worker runs.'
  )
}
