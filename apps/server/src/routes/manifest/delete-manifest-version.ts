import { deleteManifestVersion } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { deleteVersion } from '../../commands/manifest/delete-version.ts'
import { handle } from '../../http/route.ts'

export const deleteManifestVersionRoute = handle(deleteManifestVersion, async ({ params, query }, request) => {
  await deleteVersion(changeOf(request), params.id, query.version)
  return { result: 'OK' as const, message: messages.manifestVersionDeleted }
})
