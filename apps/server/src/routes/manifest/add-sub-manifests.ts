import { addSubManifests } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { addSubManifests as add } from '../../commands/manifest/add-sub-manifests.ts'
import { handle } from '../../http/route.ts'

export const addSubManifestsRoute = handle(addSubManifests, async ({ params, body }, request) => {
  await add(changeOf(request), params.id, body.submanifests)
  return { result: 'OK' as const, message: messages.subManifestAdded }
})
