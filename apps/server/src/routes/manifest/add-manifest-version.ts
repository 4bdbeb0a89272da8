import { addManifestVersion } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { addVersion } from '../../commands/manifest/add-version.ts'
import { handle } from '../../http/route.ts'

export const addManifestVersionRoute = handle(addManifestVersion, async ({ params, query }, request) => {
  await addVersion(changeOf(request, query.saveId), params.id, query.version)
  return { result: 'OK' as const, message: messages.manifestVersionCreated }
})
