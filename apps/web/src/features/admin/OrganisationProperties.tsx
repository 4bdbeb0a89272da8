import { formatCount } from '@cadmus/model/display'
import { useOrganisation } from '../../api/organisations.ts'
import { useScope } from '../../api/scope.ts'
import type { Property } from '../../ui/property.ts'
import { PropertyTable } from '../../ui/PropertyTable.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { formatLimit } from './labels.ts'

/** Read-only: the organisation's panel edits them. */
export function OrganisationProperties() {
  const { data, error } = useOrganisation(useScope().organisation)
  // The panel shows the error.
  if (!data && error) return null
  if (!data) return <Skeleton lines={6} />
  const { organisation } = data
  const properties: Property[] = [
    { id: 'id', label: 'Id', editor: 'shown', value: String(organisation.id), mono: true },
    { id: 'code', label: 'Code', editor: 'shown', value: organisation.code, mono: true },
    { id: 'name', label: 'Name', editor: 'shown', value: organisation.name },
    { id: 'entities', label: 'Entities', editor: 'shown', value: formatCount(organisation.totalEntities) },
    { id: 'manifests', label: 'Manifests', editor: 'shown', value: formatCount(organisation.totalManifests) },
    { id: 'packages', label: 'Packages', editor: 'shown', value: formatCount(organisation.totalPackages) },
    { id: 'limit', label: 'Manifest limit', editor: 'shown', value: formatLimit(organisation.licence.manifestLimit) },
  ]
  return <PropertyTable groups={[{ id: 'organisation', title: 'Organisation', properties }]} locked={null} />
}
