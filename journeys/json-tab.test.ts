import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { violationsInAllVariants } from './driver/axe.ts'
import { startJourney, openPage, saveScreenshot } from './driver/journey.ts'
import { record, send, tool } from './driver/document.ts'
import { entityDocument, names, property, setText } from './driver/entity.ts'
import { signInAsAdmin, jsonTabOn } from './driver/json-tab.ts'
import { expectAccessible } from './driver/accessible.ts'
import { nodeAt } from './driver/tree.ts'
import { dialog, expectShown, press, question, snackbar } from './driver/widgets.ts'
import { keys } from './driver/keyboard.ts'

const journey = await startJourney({ user: 'nobody' })
const { page } = journey
await signInAsAdmin(page)
const { editSource, node, open, save, source, stored, text, tree, type, write } = jsonTabOn(page)

describe('Content tree', () => {
  it(
    'tree nodes expand by keyboard and mouse, values are edited in place and Save stores them',
    holds('E2.57', 'E2.70', 'E2.98', 'E2.103', 'E7.85'),
    async () => {
      const entity = await open()
      await expect
        .poll(async () => (await tree.getByRole('treeitem').allTextContents()).slice(0, 4))
        .toEqual([
          'format: 2 read-only',
          expect.stringMatching(/^uid: ".+" read-only$/),
          `name: "${entity.name}"`,
          'description: "As it was"',
        ])
      await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
      await expectShown(tool(page, 'Save'))
      for (const add of ['Add Attribute', 'Add Relationship']) await expect.poll(() => tool(page, add).count()).toBe(0)
      await saveScreenshot(page, 'json-tree')
      await node(/^description/).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('As it is')
      await keys(page, 'Escape')
      await expectShown(node('description: "As it was"'))
      await type(node(/^description/), 'As it is')
      await expectShown(node('description: "As it is"'))
      await expect.poll(() => node(/^description/).evaluate(row => row === document.activeElement)).toBe(true)
      await node(/^typeAttributes/).focus()
      await page.keyboard.press('ArrowRight')
      await expectShown(node(/^code ?\[1\]/))
      await node(/^code ?\[1\]/).focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await saveScreenshot(page, 'json-tree-unfolded')
      await node(/^maxLength/).dblclick()
      await page.keyboard.type('40')
      await page.keyboard.press('Enter')
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
      for (const user of ['designer', 'admin'] as const) {
        const other = await openPage(journey.browser, journey.console.url)
        await other.page.goto('/')
        await other.page.getByRole('button', { name: user }).click()
        if (user === 'admin') {
          const acme = other.page.getByRole('listitem').filter({ hasText: 'ACME' })
          await acme.getByRole('button', { name: /Select/ }).click()
        }
        await expectShown(other.page.getByRole('tree', { name: 'Project Navigator' }))
        await other.page.goto(`/?entity=${entity.id}&tab=json`)
        const tabs = other.page.getByRole('tablist', { name: `Parts of ${entity.name}` }).getByRole('tab')
        await expect.poll(() => tabs.allTextContents()).toEqual(['Type Attributes3', 'Relationships0'])
        const headers = { 'X-Organisation-Code': 'ACME', 'If-Match': '*' }
        const data = { id: entity.id, content: JSON.stringify(await stored(entity)) }
        const answer = await other.page.request.put('/1.0/cdm/admin/entity/content', { headers, data })
        expect(answer.status()).toBe(user === 'admin' ? 200 : 403)
        await other.context.close()
      }
    },
  )

  it('a rejected value shows the reason and can be edited again', async () => {
    await open()
    await type(node(/^name/), 'a__b')
    const sentence =
      'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'
    await expectShown(tree.getByText(sentence))
    await saveScreenshot(page, 'json-tree-refused')
    await tree.getByRole('button', { name: 'Edit your input' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Renamed')
    await page.keyboard.press('Enter')
    await expectShown(node('name: "Renamed"'))
    await type(node(/^uid/), 'x')
    await expectShown(snackbar(page, 'A uid cannot be changed.'))
    await page.keyboard.press('Control+z')
    await expectShown(node(/^name: "Content_/))
  })

  it('items, keys and attributes can be added and deleted', async () => {
    const entity = await open()
    await node(/^operationScopes/).focus()
    await page.keyboard.press('ArrowRight')
    await node(/^insertOperationScopes/).focus()
    await page.keyboard.press('Insert')
    await page.keyboard.type('shop.write')
    await page.keyboard.press('Enter')
    await expectShown(node('0: "shop.write"'))
    await expect.poll(() => node('0: "shop.write"').evaluate(row => row === document.activeElement)).toBe(true)

    await node(/^traits/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Add Item' }).click()
    await page.keyboard.insertText('{ "traitReference": "is.custom" }')
    await page.keyboard.press('Enter')
    await node(/^0 ?1 key/).focus()
    await page.keyboard.press('Insert')
    await page.keyboard.insertText('"arguments": [1, 2]')
    await page.keyboard.press('Enter')
    await expectShown(node(/^arguments ?2 items/))

    await node(/^typeAttributes/).focus()
    await page.keyboard.press('Insert')
    const added = dialog(page, 'New Type Attribute')
    await added.getByLabel('Name').fill('colour')
    await press(added, 'Finish')
    await expectShown(node(/^colour ?\[3\]/))
    await node(/^size ?\[2\]/).focus()
    await page.keyboard.press('Delete')
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
      await page.route(/\/admin\/entity\/content\?/, route => route.fulfill({ status: 500, body: '' }))
      await save.click()
      await expectShown(page.getByRole('alert').getByText('Invalid entity json content', { exact: true }))
      await page.unrouteAll()
      await page.route(/\/admin\/entity\/content\?/, route =>
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

  it('a save is rejected if a newer version exists, and the next save stores the changes in that version', async () => {
    const entity = await open()
    await type(node(/^description/), 'Made for 1.0.0')
    await send(page, 'POST', `/1.0/cdm/entity/custom/${entity.id}/version?version=1.0.1`)
    await page.keyboard.press('Control+s')
    await expectShown(page.getByRole('alert').getByText('Only the latest version can be edited.'))
    await expect.poll(() => stored(entity)).toMatchObject({ description: 'As it was' })
    await expectShown(entityDocument(page, entity.name).getByText('1.0.1').first())
    await expectShown(node('description: "Made for 1.0.0"'))
    await page.keyboard.press('Control+s')
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => stored(entity)).toMatchObject({ description: 'Made for 1.0.0' })
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
      const colours = await text.evaluate(content => {
        const spans = [...content.querySelectorAll('.cm-line span')].filter(span => span.children.length === 0)
        return new Set(spans.map(span => getComputedStyle(span).color)).size
      })
      expect(colours).toBeGreaterThanOrEqual(3)
      await expectShown(text.getByText('"As it was"', { exact: true }))
      await expect.poll(() => text.textContent()).toContain(`"${entity.name}"`)
      await text.focus()
      await page.keyboard.press('Control+End')
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

  it('a syntax error disables Apply and is shown with its line and column', holds('E2.105', 'E2.106'), async () => {
    await open()
    await editSource()
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
  })

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
    // The original content is valid again.
    await write(before)
    await expect.poll(() => source.getByRole('listitem').count()).toBe(0)
    await write(before.replace(`"name":"${entity.name}"`, '"name":"Customer"'))
    await press(source, 'Apply')
    await expectShown(source.getByRole('listitem').filter({ hasText: nameConflict }))
    await write(before.replace('As it was', 'As it may be'))
    const accepted = waitForValidation('As it may be')
    await press(source, 'Apply')
    expect((await accepted).status()).toBe(200)
    await source.waitFor({ state: 'detached' })
  })

  it('Tab indents, Tab after Escape leaves the editor, and Ctrl+F searches', async () => {
    await open()
    await editSource()
    await text.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Tab')
    await expect.poll(() => text.locator('.cm-line').first().textContent()).toMatch(/^ {2}\{/)
    await page.keyboard.press('Control+f')
    await page.keyboard.type('operationScopes')
    await page.keyboard.press('Enter')
    await expectShown(source.locator('.cm-searchMatch').first())
    await saveScreenshot(page, 'json-source-search')
    await keys(page, 'Escape')
    await expect.poll(() => source.locator('.cm-search').count()).toBe(0)
    await page.keyboard.press('Tab')
    await expect
      .poll(() => source.getByRole('button', { name: 'Cancel' }).evaluate(one => one === document.activeElement))
      .toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await source.waitFor({ state: 'detached' })
  })
})

describe('Rendering of the Json tab', () => {
  const wide = Array.from({ length: 1000 }, (_, at) => ({ name: `field_${String(at).padStart(4, '0')}` }))

  it('only visible rows are rendered for 1,000 attributes', async () => {
    const entity = await open(wide)
    await node(/^typeAttributes/).focus()
    await page.keyboard.press('ArrowRight')
    await expectShown(node(/^field_0000/))
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await type(node(/^description/), 'Of many')
    await expectShown(node('description: "Of many"'))
    await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(100)
    await editSource()
    await saveScreenshot(page, 'json-source-1000')
    await press(source, 'Cancel')
    await save.click()
    await expectShown(snackbar(page, 'Entity saved successfully!'))
    await expect.poll(() => stored(entity)).toMatchObject({ description: 'Of many' })
  })

  it('a long value is truncated, and its title has the full text', async () => {
    await open()
    const long = `${'long '.repeat(100)}text`
    await type(node(/^description/), long)
    const value = node(/^description/).getByTitle(long, { exact: true })
    await expectShown(value)
    await expect.poll(() => value.textContent()).toBe(`"${long.slice(0, 300)}…"`)
    await expect.poll(() => value.evaluate(shown => getComputedStyle(shown).textOverflow)).toBe('ellipsis')
    await page.setViewportSize({ width: 1024, height: 768 })
    await saveScreenshot(page, 'json-long-1024')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('the Json tab has no accessibility violations in any theme or size', async () => {
    await open()
    await node(/^typeAttributes/).click()
    await node(/^typeAttributes/).dblclick()
    await node(/^code/).dblclick()
    await expectAccessible(page, 'json')
    await node(/^traits/).click({ button: 'right' })
    await expectShown(page.getByRole('menu'))
    await keys(page, 'Escape')
    await page.setViewportSize({ width: 1024, height: 768 })
    await saveScreenshot(page, 'json-1024')
    await type(node(/^name/), '1')
    await expectAccessible(page, 'json-field-error')
    await keys(page, 'Escape')
    await node(/^description/).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    for (const line of ['two', 'three']) {
      await page.keyboard.press('Shift+Enter')
      await page.keyboard.type(line)
    }
    await saveScreenshot(page, 'json-lines')
    await page.keyboard.press('Enter')
    await expectShown(node(String.raw`description: "As it was\ntwo\nthree"`))
    await editSource()
    await page.setViewportSize({ width: 1440, height: 900 })
    await saveScreenshot(page, 'json-source')
    await page.keyboard.press('Control+f')
    await expectShown(source.getByRole('textbox', { name: 'Find' }))
    expect(await violationsInAllVariants(page, 'json-source-find')).toEqual([])
    await keys(page, 'Escape')
    await write('{ "name": 1, "description": null }')
    await press(source, 'Apply')
    await expectShown(source.getByText('and 4 more', { exact: true }))
    await saveScreenshot(page, 'json-source-problems')
    await write('{')
    await expectShown(source.getByText(/^Syntax Error: /))
    await expectAccessible(page, 'json-source-refused')
    await press(source, 'Cancel')
  })
})
