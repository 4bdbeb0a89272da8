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
  libraryPending:
    'Some entities of this organisation do not have the latest changes of the library yet. They are updated when the library is loaded or the console starts. The log of the console has the reason.',
  onlyPredefinedManifests: 'Only predefined manifests can be reloaded from the library.',
} as const

/** Texts about signing in and out; `messages.session`. */
export const sessionMessages = {
  expiredTitle: 'Session Expired',
  expired: 'Your user session has expired or is invalid. Try to login again.',
  expiredEntered: 'Logging in here would discard the open dialog. Log in in another tab, and this one continues.',
  loginInOtherTab: 'Login in another tab',
  accessLostTitle: 'No Access',
  accessLost: (organisation: string) =>
    `You no longer have a subscription in ${organisation}. Nothing can be read or saved there.`,
  accessLostStored: 'These changes are not saved. This browser stores them until you have access again:',
  accessLostUnstored: 'Open dialogs and secrets cannot be stored. Copy them before you leave.',
  redirecting: 'Redirecting...',
  signingIn: 'Signing In...',
  signingOut: 'Signing Out...',
  signedOutHere: 'You are signed out of Cadmus, but may still be signed in at the identity provider.',
  stateMismatch: 'State Mismatch',
  stateMissing: 'State not found on the URL parameter',
  stateWrong: 'Could not find state session or incorrect state value',
  invalidRequest: 'Invalid Request',
  noSubscription: 'No subscription',
  noSubscriptions:
    "You are not a member of a subscription on any of these organisations. Contact the organisation's administrator to be added, then log out and in again.",
} as const
