//! Sets of networks in CIDR notation, for allow lists and trusted proxies.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// A set of networks. Its text form separates CIDRs and single addresses by commas.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CidrSet(Vec<IpNet>);

impl CidrSet {
    /// Adds the loopback networks and one address of this machine, where the sandbox's shop listens.
    #[must_use]
    pub fn with_host(mut self, address: IpAddr) -> Self {
        self.0.extend([
            IpNet::new_assert(IpAddr::from([127, 0, 0, 0]), 8),
            IpNet::from(IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1_u16])),
            IpNet::from(address.to_canonical()),
        ]);
        self
    }

    /// Whether a network of the set contains the address. An IPv4-mapped IPv6 address counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|net| net.contains(&address))
    }
}

impl FromStr for CidrSet {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts
            .map(|part| {
                part.parse::<IpNet>()
                    .or_else(|_| part.parse::<IpAddr>().map(IpNet::from))
                    .map_err(|_| format!("holds {part:?}, which is not a network"))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::CidrSet;

    #[test]
    fn parses_networks_and_single_addresses() {
        let nets: CidrSet = "127.0.0.0/8, ::1".parse().unwrap();
        for (address, inside) in
            [("127.9.9.9", true), ("::ffff:127.0.0.1", true), ("::1", true), ("10.0.0.1", false)]
        {
            assert_eq!(nets.contains(address.parse().unwrap()), inside, "{address}");
            let only_here = CidrSet::default().with_host([192, 168, 0, 7].into());
            assert_eq!(only_here.contains(address.parse().unwrap()), inside, "{address}");
        }
        assert!("10.0.0.0/33".parse::<CidrSet>().unwrap_err().contains("10.0.0.0/33"));
    }
}
