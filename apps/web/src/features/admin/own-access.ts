import { sessionStore } from '../../api/session-store.ts'
import { confirm } from '../../workbench/confirm.ts'
import { titleOf } from './labels.ts'

/** Asks for confirmation if the signed-in user is among the users who lose access. Resolves to true to continue. */
export async function mayLoseAccess(
  organisation: { code: string; name: string },
  userIds: readonly string[],
): Promise<boolean> {
  const own = sessionStore.getState().user?.userId
  if (own === undefined || !userIds.includes(own)) return true
  return confirm({
    title: 'Remove your own access?',
    text: `You remove your own access to ${titleOf(organisation)}. You stay an administrator and can restore it here.`,
    confirmLabel: 'Remove',
    danger: true,
  })
}
