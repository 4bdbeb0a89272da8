/** What is said of organisations, their members and their licence; `messages.administration`. */
export const administrationMessages = {
  notAllowed: 'You are not allowed to see this page: it is for administrators.',
  codePattern: "this must contain only upper-case letters, digits, '_' and '-'.",
  codeExists: (code: string) => `An organisation with the code "${code}" already exists.`,
  blanks: 'this must not begin or end with a blank.',
  noDatabase: 'A licence names at least one database type.',
  databaseTwice: 'A licence names each database type once.',
  count: (max: number) => `this must be a whole number from 0 to ${max}.`,
  providersMember: 'The identity provider says in which organisations this user works.',
  changedMeanwhile: 'Somebody else changed this meanwhile. It is shown as it is now: save again to replace it.',
  membershipMeanwhile: (now: number | null) =>
    `Somebody else changed this membership meanwhile: ${
      now === null ? 'the user is no member now' : `the subscription is ${now} now`
    }.`,
  memberRemoved: 'Successfully removed the member.',
  libraryNotRead: 'The library was not read.',
  onlyPredefinedManifests: 'Only predefined manifests are reloaded from the library.',
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
