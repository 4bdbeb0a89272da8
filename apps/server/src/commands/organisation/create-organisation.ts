import { defaultLicence } from '@cadmus/model/licence'
import { messages } from '@cadmus/model/messages'
import { ApiError } from '../../errors/api-error.ts'
import { insertOrganisation, organisationByCode } from '../../store/organisation.ts'
import { organisationEntry } from '../audit.ts'
import { type Change, transact } from '../change.ts'

/** Creates an organisation with the id in the change; the audit entry belongs to the new organisation. */
export async function createOrganisation(
  change: Change,
  { code, name }: { code: string; name: string },
): Promise<void> {
  await transact(change, 2, async (tx, work) => {
    if (await organisationByCode(tx, code)) throw codeTaken(code)
    const organisation = { id: change.organisationId, code, name }
    await insertOrganisation(tx, { ...organisation, licenceLimits: defaultLicence })
    const description = messages.administration.audit.created(code)
    work.audit(organisationEntry(organisation, { action: 'CREATE', description, restoration: { organisation: null } }))
  })
}

function codeTaken(code: string): ApiError {
  const message = messages.administration.codeExists(code)
  return new ApiError(409, 'conflict', message, { errors: [{ path: 'code', message }] })
}
