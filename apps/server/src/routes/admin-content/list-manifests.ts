import { adminListOrganisationManifests } from '@cadmus/model/contract/admin-documents'
import { handle } from '../../http/route.ts'
import { listManifests } from '../../store/manifest-list.ts'
import { requireOrganisation } from '../admin-organisation/organisation-answer.ts'
import { manifestList } from '../manifest/list-items.ts'

export const adminListOrganisationManifestsRoute = handle(
  adminListOrganisationManifests,
  async ({ params, query: { excludeManifest: exclude, ...query } }, request) => {
    const { id } = await requireOrganisation(request, params.code)
    const own = { ...query, exclude, filter: 'PRIVATE' as const }
    return manifestList(await listManifests(request.context.store.of(id), id, own), query)
  },
)
