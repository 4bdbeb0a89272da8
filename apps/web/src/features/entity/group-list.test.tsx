import { newEntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { groupOfColumns } from '@cadmus/model/edits/group-edits'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it } from 'vitest'
import { entityQuery, type LoadedEntity } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'
import { draftKey } from '../../drafts/draft-key.ts'
import { entityDrafts, entityStandIn } from '../../drafts/entity-draft.ts'
import { uiSettings } from '../../providers.tsx'
import { UiSettingsContext } from '../../ui/settings.ts'
import type { EntityView } from './entity-view.ts'
import { GroupList } from './GroupList.tsx'

afterEach(() => queryClient.clear())

const columns = [1, 2].map(position => newTypeAttribute({ name: `column${position}`, position }))
const referenceTo = (id: number): EntityReference => ({ id, name: `Entity${id}`, path: `user-defined/Entity${id}` })

function contentOf(id: number, parent: number | null, isGrouped: boolean) {
  return newEntityContent({
    name: `Entity${id}`,
    typeAttributes: columns,
    groups: isGrouped ? [{ ...groupOfColumns('unique', columns), name: `group${id}` }] : [],
    extendsEntity: parent === null ? null : referenceTo(parent),
  })
}

function present(id: number, parent: number | null, isGrouped: boolean) {
  const entity = entityStandIn(id, contentOf(id, parent, isGrouped), undefined)
  const loaded: LoadedEntity = { entity: { ...entity, ...referenceTo(id) }, etag: '"1"' }
  queryClient.setQueryData(entityQuery(id).queryKey, loaded)
}

/** The texts of groups, buttons and links of entity 1, in order. */
function shown(parent: number | null, isGrouped: boolean): string[] {
  const draft = entityDrafts.open(entityStandIn(1, contentOf(1, parent, isGrouped), undefined), '"1"')
  const view = { key: draftKey(1, undefined), entity: draft.saved, draft, locked: null } as EntityView
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <UiSettingsContext value={uiSettings}>
        <GroupList view={view} />
      </UiSettingsContext>
    </QueryClientProvider>,
  )
  const texts = html.replace(/<[^>]*>/g, '\n').split('\n')
  return texts.map(text => text.trim()).filter(text => text !== '')
}

it('groups of all ancestors are shown above the own ones, the farthest first, with their entity', () => {
  present(2, 3, true)
  present(3, null, true)
  expect(shown(2, true)).toEqual([
    'Unique together group3: column1, column2',
    'Inherited from Entity3',
    'Unique together group2: column1, column2',
    'Inherited from Entity2',
    'Unique together group1: column1, column2',
    'Add Group',
  ])
})

it('an entity without own and inherited groups says so, also in a circle of entities', () => {
  present(2, 1, false)
  expect(shown(2, false)).toEqual(['No attributes are unique or indexed together.', 'Add Group'])
  expect(shown(null, false)).toEqual(['No attributes are unique or indexed together.', 'Add Group'])
  present(2, 1, true)
  expect(shown(2, false)).not.toContain('No attributes are unique or indexed together.')
})
