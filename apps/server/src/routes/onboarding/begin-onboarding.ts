import { beginOnboarding } from '@cadmus/model/contract/onboarding'
import { at } from '../../auth/session.ts'
import { handle } from '../../http/route.ts'
import { beginOnboarding as begin } from '../../store/user.ts'

/**
 * Remembered when it begins, and of the user: whoever leaves it, or goes on at another machine, is not shown it again. A page that is
 * closed in the middle goes on by itself where it was; it knows that from its browser.
 */
export const beginOnboardingRoute = handle(beginOnboarding, async (_input, { context, who }) => ({
  first: await begin(context.store.shared, who.userId, at(context, 0)),
}))
