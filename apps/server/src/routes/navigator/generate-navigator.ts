import { generateNavigator } from '@cadmus/model/contract/navigator'
import { handle } from '../../http/route.ts'
import { loadLibrary } from '../../library/load-library.ts'
import { coreSchema } from '../../library/navigator.ts'

export const generateNavigatorRoute = handle(generateNavigator, async (_input, { context, organisation, who }) => {
  await loadLibrary(context, who.userId)
  return { coreSchema: await coreSchema(context.store.of(organisation.id)) }
})
