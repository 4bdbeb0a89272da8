import { aPackageSource } from '@cadmus/formats/testing/built-packages'
import { packageModelOf } from '@cadmus/formats/package/package-model'
import { apiOf } from '@cadmus/sql/api-of'
import { parse } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { expect, it } from 'vitest'
import { executableSchema } from './schema.ts'

it('repeated queries are compiled in tests as in the built instance, by the library that made the schema', () => {
  const schema = executableSchema(apiOf(packageModelOf(aPackageSource())))
  const compiled = compileQuery(schema, parse('{ customerList { records { alias: name } total } }'))
  expect(isCompiledQuery(compiled) || compiled.errors).toBe(true)
})
