import { beginOnboarding } from '@cadmus/model/contract/sso'
import { isoTime } from '../../auth/session.ts'
import { handle } from '../../http/route.ts'
import { beginOnboarding as begin } from '../../store/user.ts'

/**
 * Marks the tour as started for the user, so that it never starts again, on any machine. A page closed during the tour
 * continues it from the browser's own storage.
 */
export const beginOnboardingRoute = handle(beginOnboarding, async (_input, { context, who }) => ({
  first: await begin(context.store.shared, who.userId, isoTime(context, 0)),
}))
