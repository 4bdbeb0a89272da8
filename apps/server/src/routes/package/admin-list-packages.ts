import { adminListPackages } from '@cadmus/model/contract/package'
import { handle } from '../../http/route.ts'
import { requireOrganisation } from '../admin-organisation/organisation-answer.ts'
import { packageList } from './package-answer.ts'

export const adminListPackagesRoute = handle(adminListPackages, async ({ params, query }, request) => {
  const { id } = await requireOrganisation(request, params.code)
  return packageList(request.context.store.of(id), id, query)
})
