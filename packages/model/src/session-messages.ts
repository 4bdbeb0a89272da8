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
