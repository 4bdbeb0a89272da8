import { deleteManifest } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { deleteManifest as remove } from '../../commands/manifest/delete-manifest.ts'
import { handle } from '../../http/route.ts'

export const deleteManifestRoute = handle(deleteManifest, async ({ params, query }, request) => {
  const { context, organisation } = request
  const { onReferences } = query
  await remove(changeOf(request), { manifestId: params.id, onReferences, licence: organisation.limits })
  void context.workers
    .forget({ organisationId: organisation.id, manifestId: params.id })
    .catch((error: unknown) =>
      context.log.warn({ err: error }, 'failed to drop a deleted manifest from the caches of threads'),
    )
  return { result: 'OK' as const, message: messages.manifestDeleted }
})
