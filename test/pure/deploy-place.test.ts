// Where a deploy creates databases and buckets, from its flags and wrangler.toml. // N84
import { describe, expect, it } from 'vitest'
import { placeOf } from '../../src/scripts/deploy/place.ts'

const files = (jurisdiction?: string) => ({ name: 'selvedge-files', jurisdiction })

describe('N84 the place of what a deploy creates', () => {
  it('is that of the flag, and none without one', () => {
    expect(placeOf({}, { buckets: [files()] })).toEqual({})
    expect(placeOf({ location: 'weur' }, { buckets: [files()] })).toEqual({ location: 'weur' })
    expect(placeOf({ jurisdiction: 'eu' }, { buckets: [files('eu')] })).toEqual({ jurisdiction: 'eu' })
  })

  it('is for databases the jurisdiction that all buckets have in wrangler.toml, also without the flag', () => {
    expect(placeOf({}, { buckets: [files('eu'), files('eu')] })).toEqual({ jurisdiction: 'eu' })
    expect(placeOf({}, { buckets: [files('eu'), files()] })).toEqual({})
  })

  it.each([
    [{ location: 'europe' }, files(), 'There is no location europe: --location takes weur, eeur, apac, oc, wnam, enam'],
    [{ location: '' }, files(), 'There is no location '],
    [{ jurisdiction: 'de' }, files(), 'There is no jurisdiction de: --jurisdiction takes eu, fedramp, us'],
    [{ jurisdiction: 'eu' }, files(), 'needs the line jurisdiction = "eu" below the bucket_name of selvedge-files'],
    [{ jurisdiction: 'eu' }, files('us'), 'needs the line jurisdiction = "eu"'],
    [{ location: 'weur', jurisdiction: 'eu' }, files('eu'), 'exclude each other'],
    [{ location: 'weur' }, files('eu'), '--location weur and the jurisdiction eu exclude each other'],
  ])('refuses %j with a bucket %j, and says what to write', (flags, bucket, message) => {
    expect(() => placeOf(flags, { buckets: [bucket] })).toThrow(message)
  })
})
