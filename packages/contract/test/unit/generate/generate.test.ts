import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { validateManifest } from '../../../../../e2e/openfeature/validate-manifest.ts'
import { generateManifest, generateOpenFeature, generateTypes } from '../../../src/index.ts'
import { FLAGS, flagOf, HOSTILE_FLAGS, NOW } from './flag-examples.ts'

describe('the generated types', () => {
  const typeOf = (key: string, text = generateTypes(FLAGS, { now: NOW })) =>
    new RegExp(`^ {4}'${key}': (.*)$`, 'm').exec(text)?.[1]

  it('have the values of a flag where they are known', () => {
    expect(typeOf('new-checkout')).toBe('boolean')
    expect(typeOf('theme')).toBe(`'dark' | 'light'`)
    expect(typeOf('seats')).toBe('1 | 5')
    expect(typeOf('discount')).toBe('number')
    expect(typeOf('limits')).toBe(`{ readonly 'seats': number; readonly 'plan'?: 'free' | 'pro' }`)
  })

  it('have the general type where values are unknown, too many or too long', () => {
    const text = (fields: object) =>
      typeOf('x', generateTypes([flagOf({ key: 'x', flag_type: 'string', ...fields })], { now: NOW }))
    expect(text({ default_value: null, disabled_value: null })).toBe('string')
    expect(text({ default_value: 'x'.repeat(201), disabled_value: null })).toBe('string')
    const variants = Array.from({ length: 60 }, (_, at) => ({ weight: 1, value: `v${at}` }))
    expect(text({ default_value: 'a', disabled_value: null, variants })).toBe('string')
    expect(text({ default_value: 'a', rules: [{ variant: 'b' }], disabled_value: null })).toBe(`'a' | 'b'`)
  })

  it('mark archived and expired flags as deprecated, and leave them out of strict ones', () => {
    const all = generateTypes(FLAGS, { now: NOW })
    expect(all).toContain('@deprecated Archived on 2026-01-02')
    expect(all).toContain('@deprecated Expired on 2026-01-02')
    const strict = generateTypes(FLAGS, { now: NOW, strict: true })
    expect(typeOf('old', strict)).toBeUndefined()
    expect(typeOf('late', strict)).toBeUndefined()
    expect(typeOf('theme', strict)).toBeDefined()
  })

  it('do not depend on the order of the flags', () => {
    expect(generateTypes([...FLAGS].reverse(), { now: NOW })).toBe(generateTypes(FLAGS, { now: NOW }))
    expect(generateOpenFeature([...FLAGS].reverse())).toBe(generateOpenFeature(FLAGS))
  })

  it('of a schema without end are bounded', () => {
    const deep = (levels: number): object =>
      levels === 0 ? { type: 'string' } : { properties: { a: deep(levels - 1), b: deep(levels - 1) } }
    const flag = flagOf({ key: 'x', flag_type: 'json', value_schema: deep(12) as never })
    expect(generateTypes([flag], { now: NOW }).length).toBeLessThan(200_000)
  })
})

describe('generated code of hostile texts', () => {
  const files = {
    'burgee.gen.ts': generateTypes(HOSTILE_FLAGS, { now: NOW }),
    'openfeature.gen.d.ts': generateOpenFeature(HOSTILE_FLAGS),
  }

  it('has declarations only, and every text in its place', () => {
    for (const [name, text] of Object.entries(files)) {
      const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
      // The parser lists its errors on the file, in a field without a type.
      expect((source as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics).toEqual([])
      const kinds = new Set(source.statements.map(({ kind }) => ts.SyntaxKind[kind]))
      for (const kind of kinds)
        expect(kind).toMatch(/^(ImportDeclaration|TypeAliasDeclaration|ModuleDeclaration|ExportDeclaration)$/)
      const literals: string[] = []
      const visit = (node: ts.Node): void => {
        if (ts.isStringLiteral(node)) literals.push(node.text)
        expect(ts.isCallExpression(node)).toBe(false)
        ts.forEachChild(node, visit)
      }
      visit(source)
      for (const { archived_at, key } of HOSTILE_FLAGS)
        if (name === 'burgee.gen.ts' || archived_at === null) expect(literals).toContain(key)
    }
  })

  it('has no character outside of comments that is not printable, and no tag of the text', () => {
    const code = files['burgee.gen.ts'].replace(/\/\*\*.*?\*\//gs, '')
    expect(code).toMatch(/^[\n\x20-\x7e]*$/)
    const comments = files['burgee.gen.ts'].match(/\/\*\*.*?\*\//gs)?.join('') ?? ''
    expect(new Set(comments.match(/(?<![A-Za-z0-9])@\w+/g))).toEqual(new Set(['@deprecated']))
    expect(files['burgee.gen.ts']).not.toMatch(/[\u202a-\u202e\u2028\u2029]/)
  })
})

describe('the manifest', () => {
  it('is valid by the schema of the OpenFeature command line, also of hostile texts', () => {
    expect(validateManifest(generateManifest(FLAGS))).toEqual([])
    const hostile = HOSTILE_FLAGS.map((flag, at) => ({ ...flag, key: `k${at}`, archived_at: null }))
    expect(validateManifest(JSON.parse(JSON.stringify(generateManifest(hostile))))).toEqual([])
    const sample = new URL('../../../../../e2e/data/openfeature-cli/', import.meta.url)
    const read = (name: string) => JSON.parse(readFileSync(new URL(name, sample), 'utf8'))
    expect(validateManifest(read('sample_manifest.json'))).toEqual([])
    expect(validateManifest(read('negative-missing-flag-type.json'))).not.toEqual([])
  })

  it('has types of its own, and the value of an evaluation that fails', () => {
    const { flags } = generateManifest(FLAGS)
    expect(flags['new-checkout']).toEqual({
      flagType: 'boolean',
      defaultValue: false,
      description: 'Sells in one step',
    })
    expect(flags.theme).toEqual({ flagType: 'string', defaultValue: '' })
    expect(flags.seats).toEqual({ flagType: 'integer', defaultValue: 1 })
    expect(flags.discount).toEqual({ flagType: 'float', defaultValue: 0 })
    expect(flags.limits).toEqual({ flagType: 'object', defaultValue: { seats: 1 } })
    expect(flags.old).toBeUndefined()
  })
})
