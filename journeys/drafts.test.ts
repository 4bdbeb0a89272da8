import { holds } from '@cadmus/testing/holds'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { startJourney } from './driver/journey.ts'
import { openEntity, send, tool, readStoredDrafts } from './driver/document.ts'
import { addAttribute, entityDocument, names, property, row, setText, tab } from './driver/entity.ts'
import { violations } from './driver/axe.ts'
import { expireDuring } from './driver/session.ts'
import { dialog, captureDownload, expectShown, pick, press, question, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

type EntityRef = { id: number; name: string }

let count = 0

const { page } = await startJourney()
const shop = await apiOf(page).manifestNamed('Shop')
const configurationBuild = { apiScopeConfiguration: { scopeDefinitions: ['read', 'write'], globalScopes: [] } }
await send(page, 'POST', `/1.0/cdm/manifest/${shop}/configuration`, { configurationBuild })

/** Creates an entity with two attributes and opens it in its own tab. */
async function openNewEntity(): Promise<{ entity: EntityRef; document: Locator }> {
  count += 1
  const typeAttributes = [{ name: 'first' }, { name: 'second' }]
  const entity = await apiOf(page).createEntity({ name: `Draft_${count}`, typeAttributes }, shop)
  return { entity, document: await openEntity(page, entity) }
}

const description = () => property(page, 'Entity', 'Description').getByRole('textbox')
const isDirty = async ({ name }: EntityRef) => /unsaved changes/.test((await tab(page, name).textContent()) ?? '')

describe('Undo and redo of unsaved edits', () => {
  it('Ctrl+Z undoes edits one by one; Ctrl+Shift+Z and Ctrl+Y redo them', async () => {
    const { entity } = await openNewEntity()
    await addAttribute(page, 'third')
    await row(page, 'Type attributes', 'first').click()
    await setText(page, 'Type Attribute', 'Name', 'primus')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'primus', 'second', 'third'])
    await keys(page, 'Control+z')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second', 'third'])
    await keys(page, 'Control+z')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second'])
    await expect.poll(() => isDirty(entity)).toBe(false)
    await keys(page, 'Control+Shift+z', 'Control+y')
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'primus', 'second', 'third'])
    await tool(page, 'Discard changes').click()
  })

  it('the toolbar and the palette name the edit that undo and redo apply to', async () => {
    await openNewEntity()
    await expect.poll(() => tool(page, 'Undo').getAttribute('aria-disabled')).toBe('true')
    await row(page, 'Type attributes', 'first').click()
    await setText(page, 'Type Attribute', 'Name', 'primus')
    await tool(page, 'Undo: Renamed attribute first to primus').click()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second'])
    await keys(page, 'Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('redo')
    await page.getByRole('option', { name: /^Redo: Renamed attribute first to primus/ }).click()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'primus', 'second'])
    await tool(page, 'Discard changes').click()
  })

  it('Ctrl+Z in a field undoes its input before it undoes edits', async () => {
    await openNewEntity()
    await setText(page, 'Entity', 'Description', 'kept')
    await description().focus()
    await keys(page, 'End')
    await page.keyboard.type(' and typed')
    await keys(page, 'Control+z')
    await expect.poll(() => description().inputValue()).not.toBe('')
    await keys(page, 'Escape')
    await expect.poll(() => description().inputValue()).toBe('kept')
    await keys(page, 'Control+z')
    await expect.poll(() => description().inputValue()).toBe('')
  })

  it('discarding changes can be undone', async () => {
    const { entity } = await openNewEntity()
    await setText(page, 'Entity', 'Description', 'one')
    await addAttribute(page, 'third')
    await tool(page, 'Discard changes').click()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second'])
    await snackbar(page, `Discarded the changes of ${entity.name} in user-defined/Shop.`).waitFor()
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second', 'third'])
    await expect.poll(() => description().inputValue()).toBe('one')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
  })
})

describe('Restored drafts', () => {
  it('a reload restores the draft and merges it with changes of other users', async () => {
    const { entity, document } = await openNewEntity()
    await addAttribute(page, 'third')
    await page.reload()
    await expectShown(document.getByText(/^Restored draft: 1 unsaved change from .*, not saved yet\.$/))
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second', 'third'])
    await expect.poll(() => isDirty(entity)).toBe(true)
    await apiOf(page).describe(entity.id, 'Said by somebody else')
    await page.reload()
    await expectShown(document.getByText(/^Restored draft:/))
    await expectShown(document.getByText('Said by somebody else'))
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'first', 'second', 'third'])
    await document.getByRole('button', { name: 'Save', exact: true }).last().click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => document.getByText(/^Restored draft:/).count()).toBe(0)
    await expect.poll(() => readStoredDrafts(page)).toBe('[]')
  })

  it('a restored draft that conflicts with a saved change shows both values', async () => {
    const { entity, document } = await openNewEntity()
    await setText(page, 'Entity', 'Description', 'mine')
    await apiOf(page).describe(entity.id, 'theirs')
    await page.reload()
    await expectShown(document.getByText(/^Restored draft:/))
    await tool(page, 'Save').click()
    await expectShown(document.getByRole('cell', { name: 'theirs' }))
    await document.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => description().inputValue()).toBe('mine')
  })

  it('taking the other changes discards conflicting edits only', async () => {
    const { entity, document } = await openNewEntity()
    await setText(page, 'Entity', 'Description', 'mine')
    await row(page, 'Type attributes', 'first').click()
    await setText(page, 'Type Attribute', 'Description', 'only mine')
    await apiOf(page).describe(entity.id, 'theirs')
    await tool(page, 'Save').click()
    await document.getByRole('button', { name: /^Take/ }).click()
    await expect.poll(() => description().inputValue()).toBe('theirs')
    const attributeDescription = property(page, 'Type Attribute', 'Description').getByRole('textbox')
    await expect.poll(() => attributeDescription.inputValue()).toBe('only mine')
    await expect.poll(() => isDirty(entity)).toBe(true)
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => isDirty(entity)).toBe(false)
  })

  it('signing in again after the session expired restores drafts, tabs and address', async () => {
    const { entity, document } = await openNewEntity()
    await page.getByRole('tab', { name: /^Relationships/ }).click()
    await setText(page, 'Entity', 'Description', 'kept over the sign-in')
    await expireDuring(page, /^(?!cadmus_signed_in$)/, () => tool(page, 'Save').click())
    await press(dialog(page, 'Session Expired'), 'Login')
    await page.getByRole('button', { name: 'designer' }).click()
    await expectShown(document.getByText(/^Restored draft: 1 unsaved change/))
    await expect.poll(() => new URL(page.url()).search).toBe(`?entity=${entity.id}&tab=relationships`)
    await expect.poll(() => description().inputValue()).toBe('kept over the sign-in')
    await tool(page, 'Discard changes').click()
  })
})

describe('Actions that ignore unsaved changes', () => {
  it('Export and Manage Versions report the number of unsaved changes and offer to save them', async () => {
    const { entity } = await openNewEntity()
    await setText(page, 'Entity', 'Description', 'told')
    await addAttribute(page, 'third')
    await tool(page, 'Export Entity').click()
    const confirmation = question(page, 'Export Entity')
    await expectShown(
      confirmation.getByText(`2 unsaved changes in "${entity.name}". An export contains saved changes only.`),
    )
    expect(await violations(page)).toEqual([])
    const { bytes } = await captureDownload(page, () => press(confirmation, 'Save'))
    expect(new TextDecoder().decode(bytes)).toContain('third')
    await setText(page, 'Entity', 'Description', 'again')
    await tool(page, 'Manage Versions').click()
    await press(question(page, 'Manage Versions'), 'Continue without saving')
    await expectShown(dialog(page, 'Manage Versions'))
    await press(dialog(page, 'Manage Versions'), 'Cancel')
    await tool(page, 'Discard changes').click()
  })
})

describe('Descriptions with several lines', () => {
  it('line breaks are preserved in the field and in the larger editor', holds('E2.156', 'E2.158'), async () => {
    const { entity } = await openNewEntity()
    await description().fill('one\ntwo')
    await description().press('End')
    await keys(page, 'Shift+Enter')
    await page.keyboard.type('three')
    await keys(page, 'Enter')
    await expect.poll(() => isDirty(entity)).toBe(true)
    await page.getByRole('button', { name: 'Edit Description in a larger field' }).click()
    const large = dialog(page, 'Description')
    await expect.poll(() => large.getByRole('textbox').inputValue()).toBe('one\ntwo\nthree')
    await large.getByRole('textbox').fill('one\ntwo\nthree\nfour')
    await press(large, 'Save')
    await tool(page, 'Save').click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await page.reload()
    await expectShown(entityDocument(page, entity.name))
    await expect.poll(() => description().inputValue()).toBe('one\ntwo\nthree\nfour')
  })
})

describe('Scopes of an old version', () => {
  it(
    'scopes of an old version are saved in that version, which the address names',
    holds('E4.7', 'E4.10', 'E4.15'),
    async () => {
      const entity = await apiOf(page).createEntity({ name: 'Versioned' }, shop)
      await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.1.0`)
      const document = await openEntity(page, entity)
      await pick(page, property(page, 'Entity', 'Version'), 'Version', '1.0.0')
      await expectShown(document.getByText('Only the latest version can be edited.'))
      await expect.poll(() => new URL(page.url()).search).toBe(`?entity=${entity.id}&version=1.0.0`)
      await property(page, 'Entity', 'Select Scopes').getByRole('combobox').click()
      const scope = page.getByRole('option').first()
      const name = (await scope.textContent()) ?? ''
      await scope.click()
      await keys(page, 'Escape', 'Control+s')
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      const scopesOf = async (version: string) => {
        const answer = await page.request.get(`/1.0/cdm/entity/${entity.id}?version=${version}`, {
          headers: { 'X-Organisation-Code': 'ACME' },
        })
        return (await answer.json()).entity.operationScopes.selectOperationScopes
      }
      await expect.poll(() => scopesOf('1.0.0')).toEqual([name])
      await expect.poll(() => scopesOf('1.1.0')).toEqual([])
      await page.reload()
      await expectShown(document.getByText('Only the latest version can be edited.'))
      await expectShown(property(page, 'Entity', 'Select Scopes').getByText(name, { exact: true }))
      // The latest version links to unsaved changes of an older one.
      await property(page, 'Entity', 'Select Scopes').getByRole('combobox').click()
      await page.getByRole('option').first().click()
      await keys(page, 'Escape')
      await press(document, 'Back to 1.1.0')
      await expectShown(document.getByText('1 unsaved change in version 1.0.0.', { exact: true }))
      await press(document, 'Show 1.0.0')
      await expectShown(document.getByText('Only the latest version can be edited.'))
      await tool(page, 'Discard changes').click()
      await expect.poll(() => document.getByText(/^1 unsaved change in/).count()).toBe(0)
    },
  )
})
