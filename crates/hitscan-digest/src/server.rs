//! The interface for hosts that cannot call the library directly, but can send messages.

use crate::answers::Subject;
use crate::wire::Message;

/// The server, with the trees that it built last.
#[derive(Debug, Default)]
pub struct Server {
    subject: Option<Subject>,
}

impl Server {
    /// Answers a message. The answer to an instruction set or a build is 0, and the answer to rays is the digest of
    /// their answers.
    ///
    /// # Errors
    /// Returns a description of the fault if the message is invalid.
    pub fn answer(&mut self, message: &[u8]) -> Result<u64, String> {
        match Message::decode(message).ok_or("this is no message")? {
            Message::Level(level) => {
                level.select().map_err(|error| error.to_string())?;
                Ok(0)
            }
            Message::Build(quality, content) => {
                // The old trees are dropped first. So the old and the new trees are not in memory at the same
                // time.
                self.subject = None;
                self.subject = Some(Subject::new(&content, quality)?);
                Ok(0)
            }
            Message::Cast(first, rays) => {
                let subject = self.subject.as_ref().ok_or("there is nothing to cast rays at")?;
                let digest = subject.digest(first, &rays);
                if subject.digest_in_batches(first, &rays) != digest {
                    return Err("a batch is answered otherwise than its rays alone".into());
                }
                Ok(digest.0)
            }
        }
    }
}
