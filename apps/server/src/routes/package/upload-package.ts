import { uploadPackage } from '@cadmus/model/contract/package'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { builtPackage, secretsOf, auditUse } from '../../commands/package/package-zip.ts'
import { packageOwner } from '../../commands/package/package-owner.ts'
import { handle } from '../../http/route.ts'
import { instanceTarget } from '../../remote/instance-target.ts'
import { requireOwnName, uploadTo } from '../../remote/upload-package.ts'

export const uploadPackageRoute = handle(uploadPackage, async ({ params, body }, request) => {
  const { context, organisation, signal } = request
  const built = await builtPackage(context.store.of(organisation.id), organisation.id, params, body.version)
  const { name } = built.row
  const { version } = built.version
  const target = instanceTarget(context, body, request.who.userId)
  const secrets = secretsOf(built, context.secrets)
  const owner = await packageOwner(context.store, organisation.id)
  await requireOwnName(target, name, owner)
  const input = { organisationId: organisation.id, hash: built.hash, delivery: owner.delivery(name), secrets }
  const zip = await context.workers.run('packageZip', input, signal)
  // Audited before the passwords leave, whatever the instance answers.
  const auditMessage = body.allowDataLoss ? messages.packages.audit.uploadedWithLoss : messages.packages.audit.uploaded
  await auditUse(changeOf(request), built, auditMessage(name, version, target.name))
  const { state, allowDataLoss, lossDigest } = body
  const upload = { name, version, state, allowDataLoss, lossDigest, zip }
  const { status, warnings } = await uploadTo(target, upload, owner, signal)
  const message = [messages.packages.uploaded(name, version, status), ...warnings].join(' ')
  return { result: 'Ok' as const, message, status, ...(warnings.length === 0 ? {} : { warnings: [...warnings] }) }
})
