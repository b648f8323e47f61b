import { describe, expect, it } from 'vitest'
import { addressBelow, addressFault } from '../../../src/features/outbound/address.ts'

const refused = (url: string) => addressFault(url, { isLocal: false }) !== undefined
const longAddress = (length: number) => 'https://partner.example.com/'.padEnd(length, 'x')

describe('addresses that are called', () => {
  it('N41 are https on the public internet', () => {
    for (const url of [
      'https://partner.example.com/hook?x=1',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]/',
      'https://example.com:8443/',
      'https://172.15.0.1/',
      'https://172.32.0.1/',
      'https://lan.example.com/',
      'https://myhome.example/',
      'https://partner.notlan/',
      longAddress(2048),
    ]) {
      expect([url, refused(url)]).toEqual([url, false])
    }
  })

  it('N41 are not private, loopback or reserved, in whatever notation', () => {
    for (const url of [
      'http://partner.example.com/',
      'ftp://partner.example.com/',
      'file:///etc/passwd',
      'https://localhost/',
      'https://LOCALHOST./',
      'https://a.localhost/',
      'https://printer.local/',
      'https://metadata.google.internal/',
      'https://intranet/',
      'https://wiki.intranet/',
      'https://nas.lan/',
      'https://router.home/',
      'https://git.corp/',
      'https://nas.home.arpa/',
      'https://home.arpa/',
      'https://abcdefghijklmnop.onion/',
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f.0.0.1/',
      'https://0177.0.0.1/',
      'https://10.1.2.3/',
      'https://100.64.0.1/',
      'https://169.254.169.254/latest/meta-data/',
      'https://172.16.0.1/',
      'https://172.31.255.255/',
      'https://192.168.1.1/',
      'https://198.18.0.1/',
      'https://224.0.0.1/',
      'https://255.255.255.255/',
      'https://0.0.0.0/',
      'https://[::1]/',
      'https://[::]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fd00::1]/',
      'https://[fe80::1]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[2002:7f00:1::]/',
      'https://[2001:db8::1]/',
      'https://[ff02::1]/',
      'https://user:secret@partner.example.com/',
      'https://partner.example.com/#x',
      'not a url',
      longAddress(2049),
    ]) {
      expect([url, refused(url)]).toEqual([url, true])
    }
  })

  it('N41 may be local where the deployment is', () => {
    for (const url of ['http://localhost:3000/', 'http://127.0.0.1/', 'https://[::1]/']) {
      expect(addressFault(url, { isLocal: true })).toBeUndefined()
    }
    expect(addressFault('ftp://localhost/', { isLocal: true })).toBeDefined()
  })
})

describe('addresses in the zone of the service', () => {
  const fault = (url: string, own: string[], allowed: string[] = []) =>
    addressFault(url, { isLocal: false, zone: { own, allowed } })

  it('N84 are refused except its own and those that the operator allows', () => {
    const own = ['selvedge.example.com']
    expect(fault('https://selvedge.example.com/api/items', own)).toBeUndefined()
    expect(fault('https://erp.example.com/', own)).toContain('OWN_ZONE_HOSTS')
    expect(fault('https://ERP.example.com./', own)).toContain('OWN_ZONE_HOSTS')
    expect(fault('https://erp.example.com:8443/', own)).toContain('OWN_ZONE_HOSTS')
    expect(fault('https://example.com/', own)).toContain('OWN_ZONE_HOSTS')
    expect(fault('https://erp.example.com/', own, ['erp.example.com'])).toBeUndefined()
    expect(fault('https://badexample.com/', own)).toBeUndefined()
    expect(fault('https://erp.example.org/', own)).toBeUndefined()
  })

  it('N84 end where a registry sells names, and at the subdomain of an account on workers.dev', () => {
    expect(fault('https://erp.shop.co.uk/', ['pdm.shop.co.uk'])).toContain('OWN_ZONE_HOSTS')
    expect(fault('https://erp.co.uk/', ['pdm.shop.co.uk'])).toBeUndefined()
    expect(fault('https://other.me.workers.dev/', ['selvedge.me.workers.dev'])).toContain('OWN_ZONE_HOSTS')
    expect(fault('https://other.you.workers.dev/', ['selvedge.me.workers.dev'])).toBeUndefined()
    expect(fault('https://8.8.4.4/', ['8.8.8.8'])).toBeUndefined()
  })

  it('N84 are all called on a developer machine', () => {
    const zone = { own: ['localhost:9000'], allowed: [] }
    expect(addressFault('http://localhost:9001/', { isLocal: true, zone })).toBeUndefined()
  })
})

describe('a path below an endpoint', () => {
  it('N35 stays below it', () => {
    const base = 'https://erp.example.com/hooks/'
    expect(addressBelow(base, '')).toBe(base)
    expect(addressBelow(base, '/items/A1?x=1')).toBe('https://erp.example.com/hooks/items/A1?x=1')
    expect(addressBelow(base, '?x=1')).toBe(`${base}?x=1`)
    expect(addressBelow(`${base}?token=1`, '/b?x=1')).toBe(`${base}b?token=1&x=1`)
    expect(addressBelow(base, '//evil.example.com/')).toBe('https://erp.example.com/hooks/evil.example.com/')
    expect(addressBelow(base, 'https://evil.example.com/')).toBe(
      'https://erp.example.com/hooks/https://evil.example.com/',
    )
    for (const path of [
      '../admin',
      'a/../../b',
      '%2e%2e/admin',
      'a\\..\\b',
      'a#b',
      'a b',
      'a\nb',
      './x',
      '.%2E/x',
      '..%2fadmin',
      'a%5c..%5Cb',
    ]) {
      expect([path, addressBelow(base, path)]).toEqual([path, undefined])
    }
  })
})
