import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { openDesk, shoot } from './driver/desk.ts'
import { arriveAsAdmin, jsonTabOn } from './driver/json-tab.ts'
import { expectShown, press, question, snackbar } from './driver/widgets.ts'

const desk = await openDesk({ user: 'nobody' })
const { page } = desk
await arriveAsAdmin(page)
const { editSource, node, open, save, source, stored, text, write } = jsonTabOn(page)

describe('Edit Source', () => {
  it(
    'is a dialog of 1200 pixels with the content in colours; Cancel changes nothing, Apply does, and Save stores it',
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
      expect(await text.textContent()).toContain(`"${entity.name}"`)
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
      await page.reload()
      await expectShown(node('description: "As written"'))
      expect(await stored(entity)).toMatchObject({ description: 'As written' })
    },
  )

  it(
    'a syntax error blocks Apply and is said with its line and column, which one press leads to',
    holds('E2.105', 'E2.106'),
    async () => {
      await open()
      await editSource()
      await write('{\n  "name": "x"\n')
      const alert = source.getByRole('alert')
      await expect.poll(() => alert.textContent()).toBe("Syntax Error: Expected '}' before the end (line 3, column 1)")
      await expect.poll(() => source.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true)
      await shoot(page, 'json-source-syntax')
      await press(source, 'Go to error')
      await page.keyboard.insertText('}')
      await expect.poll(() => alert.count()).toBe(0)
      await page.keyboard.press('Escape')
      await expectShown(source)
      await press(source, 'Close')
      await press(question(page, 'Leave without saving?'), 'Leave')
      await source.waitFor({ state: 'detached' })
    },
  )

  it(
    'says what the content cannot be, each with its path: its own and what the server found',
    holds('E7.84', 'E5.36'),
    async () => {
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
      for (const words of ['description: This must be a text, not a number.', type])
        await expectShown(source.getByRole('listitem').filter({ hasText: words }))
      await shoot(page, 'json-source-kinds')
      await write(before.replace('"selectOperationScopes":[]', '"selectOperationScopes":5'))
      await press(source, 'Apply')
      const scopes = 'operationScopes.selectOperationScopes: Scopes must be an array of strings'
      await expectShown(source.getByRole('listitem').filter({ hasText: scopes }))
      await shoot(page, 'json-source-problems')
      const judged = () =>
        page.waitForResponse(answer => {
          const { pathname } = new URL(answer.url())
          return answer.request().method() === 'POST' && pathname === '/1.0/cdm/admin/entity/content/validate'
        })
      await write(before.replace(`"name":"${entity.name}"`, '"name":"Customer"'))
      const refused = judged()
      await press(source, 'Apply')
      expect((await refused).status()).toBe(400)
      const taken = 'name: An entity with the name "Customer" already exists.'
      await expectShown(source.getByRole('listitem').filter({ hasText: taken }))
      // Written back, nothing is wrong any longer.
      await write(before)
      await expect.poll(() => source.getByRole('listitem').count()).toBe(0)
      await write(before.replace(`"name":"${entity.name}"`, '"name":"Customer"'))
      await press(source, 'Apply')
      await expectShown(source.getByRole('listitem').filter({ hasText: taken }))
      await write(before.replace('As it was', 'As it may be'))
      const accepted = judged()
      await press(source, 'Apply')
      expect((await accepted).status()).toBe(200)
      await source.waitFor({ state: 'detached' })
    },
  )

  it('Tab indents, and leaves after Escape; search and folding work by keys', async () => {
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
    await shoot(page, 'json-source-search')
    await page.keyboard.press('Escape')
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
