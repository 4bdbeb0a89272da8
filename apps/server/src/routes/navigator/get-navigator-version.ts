import { getNavigatorVersion } from '@cadmus/model/contract/navigator'
import { handle } from '../../http/route.ts'
import { coreVersion } from '../../library/navigator.ts'

export const getNavigatorVersionRoute = handle(getNavigatorVersion, async (_input, { context }) => ({
  buildVersion: await coreVersion(context.store.shared),
}))
