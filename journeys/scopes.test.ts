import { apiOperations } from '@cadmus/model/required-scopes'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { violationsInAllVariants } from './driver/axe.ts'
import { configure, stored } from './driver/configuration.ts'
import { manifestDocument } from './driver/entity.ts'
import { inAtMost } from './driver/hand.ts'
import { startJourney } from './driver/journey.ts'
import { keys } from './driver/keyboard.ts'
import { expectShown } from './driver/widgets.ts'

const { page } = await startJourney()
const api = apiOf(page)

/** A manifest of 13 entities whose API requires authentication and scopes. */
async function clinicOf(name: string) {
  const id = await api.createManifest(name)
  await configure(page, id, {
    apiConfiguration: { type: ['REST'], security: 'OAUTH2' },
    apiScopeConfiguration: { enableRbac: true, scopeDefinitions: ['clinic.read'] },
  })
  for (let index = 10; index < 23; index += 1) await api.createEntity({ name: `${name}_${index}` }, id)
  return { id, name }
}

const pane = (name: string) => page.getByRole('region', { name: `Scopes of ${name}` })
const grid = (name: string) => pane(name).getByRole('grid', { name: 'Scopes of operations' })
const cell = (name: string, entity: string, column: number) =>
  grid(name).getByRole('row').filter({ hasText: entity }).getByRole('gridcell').nth(column)
const open = '65 of 65 operations require no scope'
const closed = 'All 65 operations require a scope.'

async function storedConfiguration(id: number) {
  return (await stored(page, id)).configurationBuild['apiScopeConfiguration']
}

/** The stored scopes of all operations, or of those of one entity, in one request: polling may not reach the rate limit. */
async function storedScopes(id: number, entity?: string): Promise<string[]> {
  const { entities, lists, operations } = await api.scopeMatrix(id)
  return entities.names.flatMap((name, index) =>
    entity === undefined || name === entity
      ? apiOperations.map(operation => lists[operations[operation][index] ?? 0]?.join(' ') ?? '')
      : [],
  )
}

describe('One scope on all operations of 13 entities', () => {
  it('takes at most six actions by mouse, and one undo takes it back after saving', async () => {
    const { id, name } = await clinicOf('Clinic')
    await page.goto(`/?manifest=${id}&tab=entities`)
    const document = manifestDocument(page, name)
    await inAtMost(page, 6, async hand => {
      await hand.click(document.getByRole('tab', { name: 'Scopes' }))
      await expectShown(pane(name).getByText(open))
      // From the first operation to the last one.
      await hand.click(cell(name, `${name}_10`, 2))
      await hand.click(cell(name, `${name}_22`, 6), { modifiers: ['Shift'] })
      await hand.type('clinic.read')
      await hand.press('Control+Enter')
      await expectShown(pane(name).getByText(closed))
      await hand.press('Control+Shift+S')
    })
    await expect.poll(() => storedScopes(id)).toEqual(Array.from({ length: 65 }, () => 'clinic.read'))
    await cell(name, `${name}_10`, 2).click()
    await keys(page, 'Control+Z')
    await expectShown(pane(name).getByText(open))
  })

  it('takes at most six actions by keyboard, which also define a new scope', async () => {
    const { id, name } = await clinicOf('Ward')
    await page.goto(`/?manifest=${id}&tab=scopes`)
    await expectShown(pane(name).getByText(open))
    await cell(name, `${name}_10`, 2).focus()
    await inAtMost(page, 6, async hand => {
      await hand.press('Control+Shift+End')
      await hand.type('ward.use')
      await hand.press('Control+Enter')
      await expectShown(pane(name).getByText(closed))
      await hand.press('Control+Shift+S')
    })
    await expect.poll(() => storedScopes(id)).toEqual(Array.from({ length: 65 }, () => 'ward.use'))
    await expect
      .poll(async () => (await storedConfiguration(id))?.['scopeDefinitions'])
      .toEqual(['clinic.read', 'ward.use'])
  })
})

describe('The scope matrix', () => {
  it('leaves entities of shared manifests out of a fill, excludes operations, and opens no tab', async () => {
    const { id, name } = await clinicOf('Surgery')
    const [shared, other] = [await api.createManifest('Surgery_Party'), await api.createManifest('Surgery_Billing')]
    for (const above of [id, other]) await api.addSubManifest(above, shared)
    const person = await api.createEntity({ name: 'Surgery_Person' }, shared)
    await page.goto(`/?manifest=${id}&tab=scopes`)
    await cell(name, `${name}_22`, 2).click()
    await cell(name, 'Surgery_Person', 3).click({ modifiers: ['Shift'] })
    await page.keyboard.type('clinic.read')
    await keys(page, 'Control+Enter')
    await expectShown(page.getByText('1 entity shared with other manifests left out.'))
    await expectShown(pane(name).getByText('68 of 70 operations require no scope'))
    // The menu applies to the chosen cells.
    await cell(name, `${name}_10`, 5).click()
    await cell(name, `${name}_11`, 6).click({ modifiers: ['Shift'] })
    await cell(name, `${name}_11`, 6).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Exclude from the API' }).click()
    await expectShown(pane(name).getByText('64 of 66 operations require no scope'))
    const tabs = page.getByRole('tablist', { name: 'Open documents' }).getByRole('tab')
    await expect.poll(() => tabs.filter({ hasText: `${name}_` }).count()).toBe(0)
    // The drafts without tabs survive a reload.
    await page.reload()
    await expectShown(pane(name).getByText('64 of 66 operations require no scope'))
    await keys(page, 'Control+Shift+S')
    await expect.poll(() => storedScopes(id, `${name}_22`)).toEqual(['clinic.read', 'clinic.read', '', '', ''])
    await expect
      .poll(async () => (await stored(page, id)).configurationBuild['apiConfiguration']?.['excludeOperations'])
      .toHaveLength(4)
    expect(await storedScopes(id, person.name)).toEqual(['', '', '', '', ''])
    await expectShown(pane(name).getByText('64 of 66 operations require no scope'))
  })

  it('renames a scope everywhere, marks what a token may call, and passes axe', async () => {
    const { id, name } = await clinicOf('Practice')
    await page.goto(`/?manifest=${id}&tab=scopes`)
    await cell(name, `${name}_10`, 2).focus()
    await page.keyboard.type('clinic.read, own')
    await keys(page, 'Control+Enter')
    await expectShown(pane(name).getByText('64 of 65 operations require no scope'))
    await pane(name).getByRole('button', { name: 'own', exact: true }).click()
    await expectShown(pane(name).getByText('own is required by 1 operation of 1 entity.'))
    await pane(name).getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Rename Scope Everywhere' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename Scope Everywhere' })
    await dialog.getByRole('textbox', { name: 'New name' }).focus()
    await dialog.getByRole('textbox', { name: 'New name' }).fill('practice.own')
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click()
    await expectShown(pane(name).getByRole('button', { name: 'practice.own', exact: true }))
    await pane(name).getByRole('button', { name: 'What may this token call?' }).click()
    const panel = pane(name).getByRole('complementary')
    await expectShown(panel.getByText('May call 64 of 65 operations.'))
    const claims = Buffer.from(JSON.stringify({ sub: 'ann', scope: 'practice.own' })).toString('base64url')
    await panel.getByRole('textbox', { name: 'Access token' }).fill(`e30.${claims}.e30`)
    await expectShown(panel.getByText('May call 65 of 65 operations.'))
    await expectShown(panel.getByText('Token of ann.'))
    expect(await violationsInAllVariants(page, 'scopes')).toEqual([])
  })
})
