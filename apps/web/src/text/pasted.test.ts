import { expect, it } from 'vitest'
import { isModelText, isSql } from './pasted.ts'
import { withoutProject } from './without-project.ts'

it.each([
  ['Table a {\n}', true, false],
  ['// Shop\n\nProject Shop {\n}', true, false],
  ['-- dump\nCREATE TEMPORARY TABLE a (id int);', true, true],
  ['create table a (id int)', true, true],
  ['The table {is} set', false, false],
  ['We create tables', false, false],
])('%j is a model: %s, in SQL: %s', (text, isModel, isInSql) => {
  expect([isModelText(text), isSql(text)]).toEqual([isModel, isInSql])
})

it('a pasted project is left out, and a note in the middle stays', () => {
  expect(withoutProject("Project Old {\n  Note: 'x'\n}\n\nTable a {\n}\n")).toBe('Table a {\n}\n')
  expect(
    withoutProject("// c\nProject Old {\n  Note: '''\n  {it's}\n  '''\n  Note { 'y' }\n}\n/* d */\nTable a {\n}\n"),
  ).toBe('// c\n/* d */\nTable a {\n}\n')
  expect(withoutProject('Table a {\n}\nProject Old {\n}\n')).toBe('Table a {\n}\nProject Old {\n}\n')
})

it('a text of very many empty lines is judged at once', () => {
  expect(['\n', '\r', ' \n'].map(blank => isModelText(`${blank.repeat(400_000)}x`))).toEqual([false, false, false])
})

it('a project without an end is judged at once, and stays', () => {
  const text = `Project Old {${" ''' a".repeat(100_000)}`
  expect(withoutProject(text)).toBe(text)
})
