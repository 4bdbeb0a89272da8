import { deletePackage } from '@cadmus/model/contract/package'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { deletePackageVersion } from '../../commands/package/delete-package-version.ts'
import { handle } from '../../http/route.ts'

export const deletePackageRoute = handle(deletePackage, async ({ params, query }, request) => {
  await deletePackageVersion(changeOf(request), params.id, query.version)
  return { result: 'OK' as const, message: messages.packages.deleted }
})
