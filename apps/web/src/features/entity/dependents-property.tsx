import { firstTexts } from '@cadmus/model/messages/first-load'
import { impactTexts } from '@cadmus/model/messages/impact'
import { Network } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import type { PropertyGroup } from '../../ui/property.ts'
import type { EntityView } from './entity-view.ts'

/** The group with the way to what depends on the entity, or on the column with this uid. */
export function withDependents(group: PropertyGroup, view: EntityView, uid?: string): PropertyGroup {
  const show = async () => (await import('./dependents.ts')).showDependents(view, uid)
  const render = () => (
    <Button variant="quiet" icon={Network} onClick={() => void show()}>
      {firstTexts.dependents}
    </Button>
  )
  return {
    ...group,
    properties: [...group.properties, { id: 'dependents', label: impactTexts.property, editor: 'custom', render }],
  }
}
