import { entityForm } from '@cadmus/model/content'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { startJourney, openPage, saveScreenshot } from './driver/journey.ts'
import { record, tool } from './driver/document.ts'
import { entityDocument, names, property, setText } from './driver/entity.ts'
import { signInAsAdmin, jsonTabOn } from './driver/json-tab.ts'
import { enter } from './driver/sign-in.ts'
import { expectAccessible } from './driver/accessible.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'
import { hasFocus, keys } from './driver/keyboard.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey
await signInAsAdmin(page)
const { editSource, expectEditing, node, open, save, source, stored, text, tree, type, write } = jsonTabOn(page)

describe('Content tree', () => {
  it(
    'tree nodes expand by keyboard and mouse, values are edited in place and Save stores them',
    holds('E2.57', 'E2.70', 'E2.98', 'E2.103', 'E7.85'),
    async () => {
      const entity = await open()
      await expect
        .poll(async () => (await tree.getByRole('treeitem').allTextContents()).slice(0, 4))
        .toEqual([
          `format: ${entityForm.format} read-only`,
          expect.stringMatching(/^uid: ".+" read-only$/),
          `name: "${entity.name}"`,
          'description: "As it was"',
        ])
      await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
      await expectShown(tool(page, 'Save'))
      for (const add of ['Add Attribute', 'Add Relationship']) await expect.poll(() => tool(page, add).count()).toBe(0)
      await saveScreenshot(page, 'json-tree')
      await node(/^description/).focus()
      await keys(page, 'Enter')
      await expectEditing()
      await keys(page, 'Control+a')
      await page.keyboard.type('As it is')
      await keys(page, 'Escape')
      await expectShown(node('description: "As it was"'))
      await type(node(/^description/), 'As it is')
      await expectShown(node('description: "As it is"'))
      await expect.poll(() => node(/^description/).evaluate(row => row === document.activeElement)).toBe(true)
      await node(/^typeAttributes/).focus()
      await keys(page, 'ArrowRight')
      await expectShown(node(/^code ?\[1\]/))
      await node(/^code ?\[1\]/).focus()
      await keys(page, 'ArrowRight', 'ArrowRight')
      await saveScreenshot(page, 'json-tree-unfolded')
      await node(/^maxLength/).dblclick()
      await expectEditing()
      await page.keyboard.type('40')
      await keys(page, 'Enter')
      await expectShown(node('maxLength: 40'))
      await node(/^unique/).dblclick()
      await page.getByRole('option', { name: 'true' }).click()
      await expectShown(node('unique: true'))

      const calls = record(page)
      await save.click()
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      const changes = calls.filter(({ method }) => method !== 'GET')
      expect(changes.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
        'PUT /1.0/cdm/admin/entity/content',
      ])
      await expect
        .poll(() => stored(entity))
        .toMatchObject({
          description: 'As it is',
          typeAttributes: [{ name: 'id' }, { name: 'code', maxLength: 40, unique: true }, { name: 'size' }],
        })
    },
  )

  it(
    'the Json tab is available in the administration only, even if the address names it',
    holds('E2.70', 'E2.71', 'E6.3'),
    async () => {
      const entity = await open()
      const { page: designer, context } = await openPage(journey.browser, journey.console.url)
      await enter(designer, 'designer', `/?entity=${entity.id}&tab=json`)
      await page.goto('/org')
      await page.getByRole('button', { name: 'Select Acme Trading' }).click()
      await expectShown(page.getByRole('tree', { name: 'Organisations' }))
      await page.goto(`/?entity=${entity.id}&tab=json`)
      for (const [on, status] of [
        [designer, 403],
        [page, 200],
      ] as const) {
        const tabs = on.getByRole('tablist', { name: `Parts of ${entity.name}` }).getByRole('tab')
        await expect.poll(() => tabs.allTextContents()).toEqual(['Type Attributes3', 'Relationships0', 'Compare'])
        const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
        const data = { id: entity.id, content: JSON.stringify(await stored(entity)) }
        const answer = await on.request.put('/1.0/cdm/admin/entity/content', { headers, data })
        expect(answer.status()).toBe(status)
      }
      await context.close()
    },
  )

  it('a rejected value shows the reason and can be edited again, and a long one is truncated', async () => {
    await open()
    await type(node(/^name/), 'a__b')
    const sentence =
      'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'
    await expectShown(tree.getByText(sentence))
    await saveScreenshot(page, 'json-tree-refused')
    await tree.getByRole('button', { name: 'Edit your input' }).click()
    await expectEditing()
    await keys(page, 'Control+a')
    await page.keyboard.type('Renamed')
    await keys(page, 'Enter')
    await expectShown(node('name: "Renamed"'))
    await node(/^uid/).focus()
    await keys(page, 'F2')
    await expectShown(snackbar(page, 'A uid cannot be changed.'))
    await keys(page, 'Control+z')
    await expectShown(node(/^name: "Content_/))
    const long = `${'long '.repeat(100)}text`
    await type(node(/^description/), long)
    const value = node(/^description/).getByTitle(long, { exact: true })
    await expectShown(value)
    await expect.poll(() => value.textContent()).toBe(`"${long.slice(0, 300)}…"`)
    await expect.poll(() => value.evaluate(shown => getComputedStyle(shown).textOverflow)).toBe('ellipsis')
  })

  it('items, keys and attributes can be added and deleted', async () => {
    const entity = await open()
    await node(/^operationScopes/).focus()
    await keys(page, 'ArrowRight')
    await node(/^insertOperationScopes/).focus()
    await keys(page, 'Insert')
    await expectEditing()
    await page.keyboard.type('shop.write')
    await keys(page, 'Enter')
    await expectShown(node('0: "shop.write"'))
    await expect.poll(() => node('0: "shop.write"').evaluate(row => row === document.activeElement)).toBe(true)

    await node(/^traits/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Add Item' }).click()
    await expectEditing()
    await page.keyboard.insertText('{ "traitReference": "is.custom" }')
    await keys(page, 'Enter')
    await node(/^0 ?1 key/).focus()
    await keys(page, 'Insert')
    await expectEditing()
    await page.keyboard.insertText('"arguments": [1, 2]')
    await keys(page, 'Enter')
    await expectShown(node(/^arguments ?2 items/))

    await node(/^typeAttributes/).focus()
    await keys(page, 'Insert')
    const added = dialog(page, 'New Type Attribute')
    await added.getByLabel('Name').fill('colour')
    await press(added, 'Finish')
    await expectShown(node(/^colour ?\[3\]/))
    await node(/^size ?\[2\]/).focus()
    await keys(page, 'Delete')
    await press(question(page, 'Delete Type Attributes?'), 'Delete')
    await expect.poll(() => node(/^size/).count()).toBe(0)
    await save.click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect
      .poll(() => stored(entity))
      .toMatchObject({
        traits: [{ traitReference: 'is.custom', arguments: [1, 2] }],
        operationScopes: { insertOperationScopes: ['shop.write'] },
        typeAttributes: [{ name: 'id' }, { name: 'code' }, { name: 'colour' }],
      })
  })

  it('edits in the tree, the other tabs and the property sheet are synchronised', holds('E4.31'), async () => {
    const { name } = await open()
    const inTree = (entity: string) => nodeAt(page, 'Acme Trading', 'Manifests', 'Shop', 'Entities', entity)
    const before = page.getByRole('treeitem', { name, exact: true })
    await inTree(name)
    await expect.poll(() => before.count()).toBe(1)
    await setText(page, 'Entity', 'Description', 'From the panel')
    await expectShown(node('description: "From the panel"'))
    await node(/^typeAttributes/).dblclick()
    await node(/^code ?\[1\]/).click()
    await setText(page, 'Type Attribute', 'Name', 'article_code')
    await expectShown(node(/^article_code ?\[1\]/))
    await type(node(/^name/), `${name}_renamed`)
    await page.getByRole('tab', { name: /^Type Attributes/ }).click()
    await expect.poll(() => names(page, 'Type attributes')).toEqual(['id', 'article_code', 'size'])
    await page.getByRole('tab', { name: 'Json', exact: true }).click()
    await save.click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expectShown(entityDocument(page, `${name}_renamed`))
    await expectShown(await inTree(`${name}_renamed`))
    await expect.poll(() => before.count()).toBe(0)
    await expect.poll(() => property(page, 'Entity', 'Name').getByRole('textbox').inputValue()).toBe(`${name}_renamed`)
  })
})

describe('Save failures', () => {
  it(
    'a failed save shows the reason of the server or a generic message, and the edits remain',
    holds('E8.5'),
    async () => {
      await open()
      await type(node(/^description/), 'Unstored')
      await page.route(/\/entity\/content\?/, route => route.fulfill({ status: 500, body: '' }))
      await save.click()
      await expectShown(page.getByRole('alert').getByText('Invalid entity json content', { exact: true }))
      await page.unrouteAll()
      await page.route(/\/entity\/content\?/, route =>
        route.fulfill({ status: 400, json: { message: 'Not today.', code: 'invalid' } }),
      )
      await save.click()
      await expectShown(page.getByRole('alert').getByText('Not today.', { exact: true }))
      await expectShown(node('description: "Unstored"'))
    },
  )

  it('conflicting changes of another user require a decision', async () => {
    const entity = await open()
    await type(node(/^description/), 'Mine')
    await page.request.put(`/1.0/cdm/entity/${entity.id}`, {
      headers: { 'X-Organisation-Code': 'ACME', 'If-Match': '*' },
      data: { entity: { name: entity.name, description: 'Theirs', typeAttributes: [], entityAttributes: [] } },
    })
    await save.click()
    await page.getByRole('button', { name: /^Keep/ }).click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => stored(entity)).toMatchObject({ description: 'Mine', typeAttributes: [] })
  })
})

describe('Edit Source', () => {
  it(
    'the dialog highlights the content; Cancel discards changes, Apply applies them and Save stores them',
    holds('E2.99', 'E2.100', 'E2.101', 'E2.102', 'E2.104'),
    async () => {
      const entity = await open()
      await page.setViewportSize({ width: 1600, height: 900 })
      await editSource()
      await expect.poll(async () => (await source.boundingBox())?.width).toBe(1200)
      await page.setViewportSize({ width: 1024, height: 768 })
      await expect.poll(async () => (await source.boundingBox())?.width).toBe(992)
      await page.setViewportSize({ width: 1440, height: 900 })
      const colours = () =>
        text.evaluate(content => {
          const spans = [...content.querySelectorAll('.cm-line span')].filter(span => span.children.length === 0)
          return new Set(spans.map(span => getComputedStyle(span).color)).size
        })
      await expect.poll(colours).toBeGreaterThanOrEqual(3)
      await expectShown(text.getByText('"As it was"', { exact: true }))
      await expect.poll(() => text.textContent()).toContain(`"${entity.name}"`)
      await text.focus()
      await keys(page, 'Control+End')
      await page.keyboard.type('typed')
      await expect.poll(() => text.textContent()).toMatch(/\}typed$/)
      const before = JSON.stringify(await stored(entity))
      const changed = before.replace('As it was', 'As written')
      await write(changed)
      await press(source, 'Cancel')
      await expectShown(node('description: "As it was"'))
      await editSource()
      await write(changed)
      await press(source, 'Apply')
      await source.waitFor({ state: 'detached' })
      await expectShown(node('description: "As written"'))
      expect(JSON.stringify(await stored(entity))).toBe(before)
      await save.click()
      await expectShown(snackbar(page, 'Entity saved successfully!'))
      await expect.poll(() => stored(entity)).toMatchObject({ description: 'As written' })
    },
  )

  it(
    'keys work in the editor, and a syntax error disables Apply and is shown with its position',
    holds('E2.105', 'E2.106'),
    async () => {
      await open()
      await editSource()
      await text.focus()
      await keys(page, 'Control+Home', 'Tab')
      await expect.poll(() => text.locator('.cm-line').first().textContent()).toMatch(/^ {2}\{/)
      await keys(page, 'Control+f')
      await page.keyboard.type('operationScopes')
      await keys(page, 'Enter')
      await expectShown(source.locator('.cm-searchMatch').first())
      await keys(page, 'Escape')
      await expect.poll(() => source.locator('.cm-search').count()).toBe(0)
      // Tab after Escape leaves the editor.
      await keys(page, 'Tab')
      await expect.poll(() => hasFocus(source.getByRole('button', { name: 'Cancel' }))).toBe(true)
      await write('{\n  "name": "x"\n')
      const alert = source.getByRole('alert')
      await expect.poll(() => alert.textContent()).toBe("Syntax Error: Expected '}' before the end (line 3, column 1)")
      await expect.poll(() => source.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true)
      await saveScreenshot(page, 'json-source-syntax')
      await press(source, 'Go to error')
      await page.keyboard.insertText('}')
      await expect.poll(() => alert.count()).toBe(0)
      await keys(page, 'Escape')
      await expectShown(source)
      await source.getByRole('button', { name: 'Close', exact: true }).last().click()
      await press(question(page, 'Leave without saving?'), 'Leave')
      await source.waitFor({ state: 'detached' })
    },
  )

  it('invalid content is listed by path, whether page or server detects it', holds('E7.84', 'E5.36'), async () => {
    const entity = await open()
    const before = JSON.stringify(await stored(entity))
    await editSource()
    await write(
      before
        .replace('"dataType":"integer"', '"dataType":"money"')
        .replace('"choices":[]', '"choices":[],"x":1')
        .replace('"description":""', '"description":5'),
    )
    await press(source, 'Apply')
    const type =
      'typeAttributes.id.dataType: This must be "boolean", "dateTime", "double", "float", "integer", "object" or "string".'
    for (const message of ['description: This must be a text, not a number.', type])
      await expectShown(source.getByRole('listitem').filter({ hasText: message }))
    await saveScreenshot(page, 'json-source-kinds')
    await write(before.replace('"selectOperationScopes":[]', '"selectOperationScopes":5'))
    await press(source, 'Apply')
    const scopes = 'operationScopes.selectOperationScopes: Scopes must be an array of strings'
    await expectShown(source.getByRole('listitem').filter({ hasText: scopes }))
    await saveScreenshot(page, 'json-source-problems')
    const waitForValidation = (text: string) =>
      page.waitForResponse(answer => {
        const { pathname } = new URL(answer.url())
        const isOfText = answer.request().postData()?.includes(text) === true
        return isOfText && pathname === '/1.0/cdm/admin/entity/content/validate'
      })
    await write(before.replace(`"name":"${entity.name}"`, '"name":"Customer"'))
    const refused = waitForValidation('Customer')
    await press(source, 'Apply')
    expect((await refused).status()).toBe(400)
    const nameConflict = 'name: An entity with the name "Customer" already exists.'
    await expectShown(source.getByRole('listitem').filter({ hasText: nameConflict }))
    await write(before.replace('As it was', 'As it may be'))
    const accepted = waitForValidation('As it may be')
    await press(source, 'Apply')
    expect((await accepted).status()).toBe(200)
    await source.waitFor({ state: 'detached' })
  })
})

describe('Rendering of the Json tab', () => {
  const wide = Array.from({ length: 1000 }, (_, at) => ({ name: `field_${String(at).padStart(4, '0')}` }))

  it('only visible rows are rendered for 1,000 attributes', async () => {
    await open(wide)
    await node(/^typeAttributes/).focus()
    await keys(page, 'ArrowRight')
    await expectShown(node(/^field_0000/))
    await keys(page, 'End', 'Home')
    await type(node(/^description/), 'Of many')
    await expectShown(node('description: "Of many"'))
    await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(100)
  })

  it('the Json tab and Edit Source have no accessibility violations, and Shift+Enter adds lines to a value', async () => {
    await open()
    await node(/^typeAttributes/).click()
    await node(/^typeAttributes/).dblclick()
    await node(/^code/).dblclick()
    await type(node(/^name/), '1')
    await expectAccessible(page, 'json-field-error')
    await keys(page, 'Escape')
    await node(/^description/).focus()
    await keys(page, 'Enter')
    await expectEditing()
    await keys(page, 'End', 'Shift+Enter')
    await page.keyboard.type('two')
    await keys(page, 'Enter')
    await expectShown(node(String.raw`description: "As it was\ntwo"`))
    await editSource()
    await write('{ "name": 1, "description": null }')
    await press(source, 'Apply')
    await expectShown(source.getByText('and 6 more', { exact: true }))
    await text.focus()
    await keys(page, 'Control+f')
    await expectShown(source.getByRole('textbox', { name: 'Find' }))
    await expectAccessible(page, 'json-source-find', 'all')
    await keys(page, 'Escape')
    await press(source, 'Cancel')
  })
})
