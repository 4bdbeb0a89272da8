import { fileStem } from '@cadmus/formats/file-stem'
import { downloadPackage } from '@cadmus/model/contract/package'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { builtPackage, secretsOf, auditUse } from '../../commands/package/package-zip.ts'
import { forbidden } from '../../errors/api-error.ts'
import { packageOwner } from '../../commands/package/package-owner.ts'
import { handle } from '../../http/route.ts'

export const downloadPackageRoute = handle(downloadPackage, async ({ params, query }, request) => {
  const { context, organisation, signal, who } = request
  const withPassword = query.includePassword === 'true'
  if (withPassword && who.personalToken?.isReadOnly === true)
    throw forbidden(messages.packages.readOnlyToken, 'read_only')
  const built = await builtPackage(context.store.of(organisation.id), organisation.id, params, query.version)
  const { row, version, hash } = built
  const secrets = withPassword ? secretsOf(built, context.secrets) : null
  const delivery = (await packageOwner(context.store, organisation.id)).delivery(row.name)
  const zip = await context.workers.run(
    'packageZip',
    { organisationId: organisation.id, hash, delivery, secrets },
    signal,
  )
  // Audited before the secrets leave.
  const description = messages.packages.audit.downloadedWithPassword(row.name, version.version)
  if (withPassword) await auditUse(changeOf(request), built, description)
  return request.sendBinary(zip, `${fileStem(row.manifest_name, 'package')}.zip`, 'application/zip')
})
