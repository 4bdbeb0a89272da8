/** Texts about organisations, members and licences; `messages.administration`. */
export const administrationMessages = {
  notAllowed: 'Only administrators can open this page.',
  codePattern: "this must contain only upper-case letters, digits, '_' and '-'.",
  codeExists: (code: string) => `An organisation with the code "${code}" already exists.`,
  surroundingSpaces: 'this must not begin or end with a space.',
  noDatabase: 'A licence must include at least one database type.',
  databaseTwice: 'A licence must include each database type only once.',
  count: (max: number) => `this must be a whole number from 0 to ${max}.`,
  providersMember: 'The identity provider manages the memberships of this user.',
  changedConcurrently: 'Someone else changed this. The current state is shown: save again to replace it.',
  membershipChanged: (now: number | null) =>
    `Someone else changed this membership: ${
      now === null ? 'the user is no longer a member' : `the subscription is now ${now}`
    }.`,
  memberRemoved: 'Successfully removed the member.',
  libraryNotRead: 'The library could not be read.',
  onlyPredefinedManifests: 'Only predefined manifests can be reloaded from the library.',
  audit: {
    created: (code: string) => `Created organisation ${code}.`,
    renamed: (code: string, before: string, after: string) =>
      `Renamed organisation ${code} from ${before} to ${after}.`,
    licensed: (code: string, before: string, after: string) =>
      `Changed the licence limits of organisation ${code} from ${before} to ${after}.`,
    memberAdded: (user: string, code: string, subscription: number) =>
      `Added ${user} to organisation ${code} with subscription ${subscription}.`,
    subscribed: (user: string, code: string, before: number, after: number) =>
      `Changed the subscription of ${user} in organisation ${code} from ${before} to ${after}.`,
    memberRemoved: (user: string, code: string) => `Removed ${user} from organisation ${code}.`,
  },
} as const
